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
