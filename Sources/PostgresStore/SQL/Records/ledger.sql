-- What a user sees of the ledger, and grants under ids of other systems.

-- name: credit_grant_by_digest
SELECT id, user_id, amount, applied, source, created_at, granted, held, used FROM credit_grant WHERE digest = $1

-- name: ledger_list
-- Entries of user $1 before entry $2 that match the filters $3 to $6, with what they changed and the balance after them.
-- The starting credits come first, although a first submit takes the number of its hold before theirs.
WITH moved AS (
    SELECT
        *,
        CASE WHEN source = 'start' OR note = 'starting credits' THEN 0 ELSE entry END AS place,
        CASE kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -amount ELSE amount END AS remaining,
        CASE kind WHEN 'grant' THEN 0 WHEN 'hold' THEN amount ELSE -amount END AS held,
        CASE kind WHEN 'settle' THEN amount ELSE 0 END AS used
    FROM ledger
    WHERE user_id = $1
),
summed AS (
    SELECT
        *, sum(remaining) OVER earlier AS remaining_after, sum(held) OVER earlier AS held_after,
        sum(used) OVER earlier AS used_after
    FROM moved
    WINDOW earlier AS (ORDER BY place ROWS UNBOUNDED PRECEDING)
)
SELECT
    s.entry, s.kind::text, s.amount, s.remaining, s.held, s.used, s.remaining_after::bigint, s.held_after::bigint,
    s.used_after::bigint,
    CASE
        WHEN s.kind = 'grant'
            THEN coalesce(s.source, CASE s.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
    END,
    s.month, s.job, coalesce(j.kind, k.kind), s.created_at
FROM summed AS s
LEFT JOIN job AS j ON j.id = s.job
LEFT JOIN ledger_job AS k ON k.job = s.job
WHERE s.place < $2
    AND ($3::text IS NULL OR s.kind = $3::ledger_kind)
    AND ($4::bigint IS NULL OR s.created_at >= $4)
    AND ($5::bigint IS NULL OR s.created_at < $5)
    AND ($6::uuid IS NULL OR s.job = $6)
ORDER BY s.place DESC
LIMIT $7

-- name: ledger_list_of_all
-- Entries of all users, or of user $1, before entry $2 that match the filters $3 to $6. What their users have after them
-- is summed for the entries of the page alone.
WITH page AS (
    SELECT l.*, CASE WHEN l.source = 'start' OR l.note = 'starting credits' THEN 0 ELSE l.entry END AS place
    FROM ledger AS l
    WHERE l.entry < $2::bigint
        AND ($1::bigint IS NULL OR l.user_id = $1)
        AND ($3::text IS NULL OR l.kind = $3::ledger_kind)
        AND ($4::bigint IS NULL OR l.created_at >= $4)
        AND ($5::bigint IS NULL OR l.created_at < $5)
        AND ($6::uuid IS NULL OR l.job = $6)
    ORDER BY l.entry DESC
    LIMIT $7::bigint
)
SELECT
    p.user_id, coalesce(a.subject, CASE p.user_id WHEN -1 THEN 'system' ELSE p.user_id::text END), p.entry,
    p.kind::text, p.amount,
    CASE p.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -p.amount ELSE p.amount END,
    CASE p.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN p.amount ELSE -p.amount END,
    CASE p.kind WHEN 'settle' THEN p.amount ELSE 0 END, s.remaining::bigint, s.held::bigint, s.used::bigint,
    CASE
        WHEN p.kind = 'grant'
            THEN coalesce(p.source, CASE p.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
    END,
    p.month, p.job, coalesce(j.kind, k.kind), p.created_at
FROM page AS p
CROSS JOIN LATERAL (
    SELECT
        sum(CASE e.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -e.amount ELSE e.amount END) AS remaining,
        sum(CASE e.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN e.amount ELSE -e.amount END) AS held,
        sum(CASE e.kind WHEN 'settle' THEN e.amount ELSE 0 END) AS used
    FROM ledger AS e
    WHERE e.user_id = p.user_id
        AND CASE WHEN e.source = 'start' OR e.note = 'starting credits' THEN 0 ELSE e.entry END <= p.place
) AS s
LEFT JOIN account AS a ON a.id = p.user_id
LEFT JOIN job AS j ON j.id = p.job
LEFT JOIN ledger_job AS k ON k.job = p.job
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
