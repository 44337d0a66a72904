-- What a user sees of the ledger, and grants under ids of other systems.

-- name: credit_grant_by_digest
SELECT id, user, amount, applied, source, created_at, granted, held, used FROM credit_grant WHERE digest = ?1

-- name: ledger_numbers
-- The newest entries between ?1 and ?2, from the time ?3 to ?4, of job ?5 and of the sort ?7, if any.
SELECT entry
FROM ledger
WHERE (?7 IS NULL OR kind = ?7) AND entry > ?1 AND entry < ?2
    AND created_at >= ?3 AND created_at < ?4 AND (?5 IS NULL OR job = ?5)
ORDER BY entry DESC
LIMIT ?6

-- name: ledger_numbers_of_user
-- As `ledger_numbers`, of user ?8.
SELECT entry
FROM ledger
WHERE user = ?8 AND (?7 IS NULL OR kind = ?7) AND entry > ?1 AND entry < ?2
    AND created_at >= ?3 AND created_at < ?4 AND (?5 IS NULL OR job = ?5)
ORDER BY entry DESC
LIMIT ?6

-- name: ledger_grants
-- As `ledger_numbers`, of grants alone: they are few among the entries.
SELECT entry
FROM ledger
WHERE kind = 'grant' AND entry > ?1 AND entry < ?2
    AND created_at >= ?3 AND created_at < ?4 AND (?5 IS NULL OR job = ?5)
ORDER BY entry DESC
LIMIT ?6

-- name: ledger_grants_of_user
-- As `ledger_grants`, of user ?7.
SELECT entry
FROM ledger
WHERE user = ?7 AND kind = 'grant' AND entry > ?1 AND entry < ?2
    AND created_at >= ?3 AND created_at < ?4 AND (?5 IS NULL OR job = ?5)
ORDER BY entry DESC
LIMIT ?6

-- name: ledger_number_at
-- The last entry that was made before ?1, found by halving: entries are made in the order of their times.
WITH RECURSIVE half (low, high) AS (
    SELECT 0, coalesce(max(entry), 0) + 1 FROM ledger
    UNION ALL
    SELECT
        iif(m.created_at >= ?1, h.low, (h.low + h.high) / 2),
        iif(m.created_at >= ?1, (h.low + h.high) / 2, h.high)
    FROM half AS h
    LEFT JOIN ledger AS m ON m.entry = (SELECT max(e.entry) FROM ledger AS e WHERE e.entry <= (h.low + h.high) / 2)
    WHERE h.high - h.low > 1
)
SELECT low FROM half WHERE high - low <= 1

-- name: life_of_job
-- When job ?1 was submitted, and when it ended, if it has.
SELECT created_at, completed_at FROM job WHERE id = ?1

-- name: ledger_entries
-- The entries in the list ?1, newest first, with their users, what they changed and what their users have after them: the
-- balance without what came later. Only that is read: each entry of the page adds what lies between it and the next one
-- of its user. The first slices of an erased user's entries have no balance yet; they are summed from their beginning.
WITH page AS MATERIALIZED (
    SELECT l.*, lag(l.entry, 1, 9223372036854775807) OVER (PARTITION BY l.user ORDER BY l.entry DESC) AS next
    FROM ledger AS l
    WHERE l.entry IN (SELECT value FROM json_each(?1))
),
gap AS MATERIALIZED (
    SELECT
        p.entry, p.user,
        sum(CASE e.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -e.amount ELSE e.amount END) AS remaining,
        sum(CASE e.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN e.amount ELSE -e.amount END) AS held,
        sum(CASE e.kind WHEN 'settle' THEN e.amount ELSE 0 END) AS used
    FROM page AS p
    CROSS JOIN ledger AS e ON e.user = p.user AND e.entry > p.entry AND e.entry <= p.next
    GROUP BY p.entry
),
own AS MATERIALIZED (
    SELECT
        u.user, coalesce(b.remaining, (
            SELECT sum(CASE e.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -e.amount ELSE e.amount END)
            FROM ledger AS e WHERE e.user = u.user
        )) AS remaining,
        coalesce(b.held, (
            SELECT sum(CASE e.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN e.amount ELSE -e.amount END)
            FROM ledger AS e WHERE e.user = u.user
        )) AS held,
        coalesce(b.used, (SELECT sum(e.amount) FILTER (WHERE e.kind = 'settle') FROM ledger AS e WHERE e.user = u.user), 0)
            AS used
    FROM (SELECT DISTINCT user FROM page) AS u
    LEFT JOIN balance AS b ON b.user = u.user
)
SELECT
    p.user, coalesce(a.subject, CASE p.user WHEN -1 THEN 'system' ELSE CAST(p.user AS TEXT) END), p.entry, p.kind,
    p.amount,
    CASE p.kind WHEN 'settle' THEN 0 WHEN 'hold' THEN -p.amount ELSE p.amount END,
    CASE p.kind WHEN 'grant' THEN 0 WHEN 'hold' THEN p.amount ELSE -p.amount END,
    CASE p.kind WHEN 'settle' THEN p.amount ELSE 0 END,
    o.remaining - coalesce(sum(g.remaining) OVER later, 0), o.held - coalesce(sum(g.held) OVER later, 0),
    o.used - coalesce(sum(g.used) OVER later, 0),
    CASE
        WHEN p.kind = 'grant'
            THEN coalesce(p.source, CASE p.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
    END,
    p.month, p.job, coalesce(j.kind, k.kind), p.created_at
FROM page AS p
JOIN own AS o ON o.user = p.user
LEFT JOIN gap AS g ON g.entry = p.entry
LEFT JOIN account AS a ON a.id = p.user
LEFT JOIN job AS j ON j.id = p.job
LEFT JOIN ledger_job AS k ON k.job = p.job
WINDOW later AS (PARTITION BY p.user ORDER BY p.entry DESC)
ORDER BY p.entry DESC

-- name: ledger_statement
-- Sums of user ?1: what was not used before ?2, and from then to ?3 grants by source and uses by kind of job.
SELECT m.part, m.name, sum(m.amount), count(*)
FROM (
    SELECT
        CASE WHEN l.created_at < ?2 THEN 'opening' WHEN l.kind = 'settle' THEN 'used' ELSE 'granted' END AS part,
        CASE
            WHEN l.created_at < ?2 THEN ''
            WHEN l.kind = 'settle' THEN coalesce(j.kind, k.kind, 'other')
            ELSE coalesce(l.source, CASE l.note WHEN 'starting credits' THEN 'start' ELSE 'correction' END)
        END AS name,
        CASE WHEN l.created_at < ?2 AND l.kind = 'settle' THEN -l.amount ELSE l.amount END AS amount
    FROM ledger AS l
    LEFT JOIN job AS j ON j.id = l.job
    LEFT JOIN ledger_job AS k ON k.job = l.job
    WHERE l.user = ?1 AND l.created_at < ?3 AND l.kind IN ('grant', 'settle')
) AS m
GROUP BY m.part, m.name
ORDER BY m.part, m.name
