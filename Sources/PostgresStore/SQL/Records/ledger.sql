-- What a user sees of the ledger, and grants under ids of other systems.

-- name: credit_grant_by_digest
SELECT id, user_id, amount, applied, source, created_at, granted, held, used FROM credit_grant WHERE digest = $1

-- name: ledger_numbers
-- The newest entries between $1 and $2, from the time $3 to $4, of job $5 and of the sort $7, if any.
SELECT * FROM ledger_numbers($1, $2, $3, $4, $5, $6, $7::text::ledger_kind, NULL)

-- name: ledger_numbers_of_user
-- As `ledger_numbers`, of user $8.
SELECT * FROM ledger_numbers($1, $2, $3, $4, $5, $6, $7::text::ledger_kind, $8)

-- name: ledger_grants
-- As `ledger_numbers`, of grants alone.
SELECT * FROM ledger_numbers($1, $2, $3, $4, $5, $6, 'grant', NULL)

-- name: ledger_grants_of_user
-- As `ledger_grants`, of user $7.
SELECT * FROM ledger_numbers($1, $2, $3, $4, $5, $6, 'grant', $7)

-- name: ledger_number_at
-- The last entry that was made before $1, found by halving: entries are made in the order of their times.
WITH RECURSIVE half (low, high) AS (
    SELECT 0::bigint, coalesce(max(entry), 0) + 1 FROM ledger
    UNION ALL
    SELECT
        CASE WHEN m.created_at >= $1::bigint THEN h.low ELSE (h.low + h.high) / 2 END,
        CASE WHEN m.created_at >= $1::bigint THEN (h.low + h.high) / 2 ELSE h.high END
    FROM half AS h
    LEFT JOIN ledger AS m ON m.entry = (SELECT max(e.entry) FROM ledger AS e WHERE e.entry <= (h.low + h.high) / 2)
    WHERE h.high - h.low > 1
)
SELECT low FROM half WHERE high - low <= 1

-- name: life_of_job
-- When job $1 was submitted, and when it ended, if it has.
SELECT created_at, completed_at FROM job WHERE id = $1

-- name: ledger_entries
-- The entries in the list $1, newest first, with their users, what they changed and what their users have after them: the
-- balance without what came later. Only that is read: each entry of the page adds what lies between it and the next one
-- of its user. The first slices of an erased user's entries have no balance yet; they are summed from their beginning.
-- Versions before this one gave a first submit's hold a lower number than its user's starting credits, which count first.
WITH page AS MATERIALIZED (
    SELECT
        l.*, coalesce(l.source = 'start' OR l.note = 'starting credits', false) AS is_start,
        lag(l.entry, 1, 9223372036854775807) OVER (PARTITION BY l.user_id ORDER BY l.entry DESC) AS next
    FROM ledger AS l
    WHERE l.entry = ANY ($1::bigint[])
),
gap AS MATERIALIZED (
    SELECT p.entry, s.*
    FROM page AS p
    CROSS JOIN LATERAL (
        SELECT
            sum(CASE e.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -e.amount ELSE e.amount END) AS remaining,
            sum(CASE e.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN e.amount ELSE -e.amount END) AS held,
            sum(CASE e.kind WHEN 'settle' THEN e.amount ELSE 0 END) AS used
        FROM ledger AS e
        WHERE e.user_id = p.user_id AND e.entry > p.entry AND e.entry <= p.next
            AND (e.source = 'start' OR e.note = 'starting credits') IS NOT TRUE
    ) AS s
),
own AS MATERIALIZED (
    SELECT
        u.user_id, coalesce(b.granted - b.held - b.used, s.remaining) AS remaining, coalesce(b.held, s.held) AS held,
        coalesce(b.used, s.used) AS used
    FROM (SELECT DISTINCT user_id FROM page) AS u
    LEFT JOIN LATERAL (
        SELECT n.granted, n.held, n.used FROM balance AS n WHERE n.user_id = u.user_id ORDER BY n.bucket DESC LIMIT 1
    ) AS b ON true
    LEFT JOIN LATERAL (
        SELECT
            sum(CASE e.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -e.amount ELSE e.amount END) AS remaining,
            sum(CASE e.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN e.amount ELSE -e.amount END) AS held,
            sum(CASE e.kind WHEN 'settle' THEN e.amount ELSE 0 END) AS used
        FROM ledger AS e
        WHERE b.granted IS NULL AND e.user_id = u.user_id
    ) AS s ON true
)
SELECT
    p.user_id, coalesce(a.subject, CASE p.user_id WHEN -1 THEN 'system' ELSE p.user_id::text END), p.entry,
    p.kind::text, p.amount,
    CASE p.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -p.amount ELSE p.amount END,
    CASE p.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN p.amount ELSE -p.amount END,
    CASE p.kind WHEN 'settle' THEN p.amount ELSE 0 END,
    CASE WHEN p.is_start THEN p.amount ELSE o.remaining - coalesce(sum(g.remaining) OVER later, 0) END::bigint,
    CASE WHEN p.is_start THEN 0 ELSE o.held - coalesce(sum(g.held) OVER later, 0) END::bigint,
    CASE WHEN p.is_start THEN 0 ELSE o.used - coalesce(sum(g.used) OVER later, 0) END::bigint,
    CASE
        WHEN p.kind = 'grant'
            THEN coalesce(p.source, CASE p.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
    END,
    p.month, p.job, coalesce(j.kind, k.kind), p.created_at
FROM page AS p
JOIN own AS o ON o.user_id = p.user_id
JOIN gap AS g ON g.entry = p.entry
LEFT JOIN account AS a ON a.id = p.user_id
LEFT JOIN job AS j ON j.id = p.job
LEFT JOIN ledger_job AS k ON k.job = p.job
WINDOW later AS (PARTITION BY p.user_id ORDER BY p.entry DESC)
ORDER BY p.entry DESC

-- name: ledger_statement
-- Sums of user $1: what was not used before $2, and from then to $3 grants by source and uses by kind of job.
SELECT m.part, m.name, sum(m.amount)::bigint, count(*)
FROM (
    SELECT
        CASE WHEN l.created_at < $2 THEN 'opening' WHEN l.kind = 'settle' THEN 'used' ELSE 'granted' END AS part,
        CASE
            WHEN l.created_at < $2 THEN ''
            WHEN l.kind = 'settle' THEN coalesce(j.kind, k.kind, 'other')
            ELSE coalesce(l.source, CASE l.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
        END AS name,
        CASE WHEN l.created_at < $2 AND l.kind = 'settle' THEN -l.amount ELSE l.amount END AS amount
    FROM ledger AS l
    LEFT JOIN job AS j ON j.id = l.job
    LEFT JOIN ledger_job AS k ON k.job = l.job
    WHERE l.user_id = $1 AND l.created_at < $3 AND l.kind IN ('grant', 'settle')
) AS m
GROUP BY m.part, m.name
ORDER BY m.part, m.name
