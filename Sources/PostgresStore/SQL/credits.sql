-- Balances and their ledger.

-- name: balance_get
SELECT asked.place, b.granted, b.held, b.used
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (user_id, place)
CROSS JOIN LATERAL (SELECT * FROM balance AS n WHERE n.user_id = asked.user_id ORDER BY n.bucket DESC LIMIT 1) AS b

-- name: grant_credits
SELECT granted, held, used FROM grant_credits($1, $2, $3, $4, $5, $6, NULL)

-- name: grant_once
SELECT g.state, (g.made).id, (g.made).user_id, (g.made).amount, (g.made).applied, (g.made).source, (g.made).created_at,
    (g.made).granted, (g.made).held, (g.made).used
FROM grant_once($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS g

-- name: open_credits
SELECT open_credits($1, $2, $3)

-- name: begin_month
SELECT came, went FROM grant_month($1, $2, $3, $4, $5, $6)

-- name: audit_credits
-- Three questions in one statement, so that all see one snapshot: stored balances beside the sums of the ledger; jobs
-- whose hold does not match their status; open holds without an unfinished job. While an erasure moves the ledger, the
-- entries under its number count for its user.
WITH recomputed AS (
    SELECT
        coalesce((SELECT e.user_id FROM erasure AS e WHERE e.number = ledger.user_id), user_id) AS user_id,
        coalesce(sum(amount) FILTER (WHERE kind = 'grant'), 0)::bigint AS granted,
        sum(CASE kind WHEN 'hold' THEN amount WHEN 'settle' THEN -amount WHEN 'release' THEN -amount ELSE 0 END)::bigint
            AS held,
        coalesce(sum(amount) FILTER (WHERE kind = 'settle'), 0)::bigint AS used
    FROM ledger
    GROUP BY 1
)
SELECT
    'balance' AS question, coalesce(s.user_id, r.user_id) AS user_id, NULL::uuid AS job, NULL AS status,
    NULL AS opened, NULL AS closed, NULL::bigint AS entry, coalesce(s.granted, 0), coalesce(s.held, 0),
    coalesce(s.used, 0), coalesce(r.granted, 0), coalesce(r.held, 0), coalesce(r.used, 0)
FROM balance AS s
FULL JOIN recomputed AS r ON r.user_id = s.user_id
UNION ALL
SELECT 'job', j.user_id, j.id, j.status::text, h.kind::text, c.kind::text, j.number, 0, 0, 0, 0, 0, 0
FROM job AS j
LEFT JOIN ledger AS h ON h.entry = j.hold
LEFT JOIN ledger AS c ON c.hold = j.hold
WHERE j.cost > 0
    AND (
        h.kind IS DISTINCT FROM 'hold' OR h.job IS DISTINCT FROM j.id OR h.amount IS DISTINCT FROM j.cost
        OR h.user_id IS DISTINCT FROM j.user_id
        OR c.kind IS DISTINCT FROM CASE j.status
            WHEN 'completed' THEN 'settle'::ledger_kind
            WHEN 'failed' THEN 'release'::ledger_kind
            WHEN 'cancelled' THEN 'release'::ledger_kind
        END
        OR (c.kind IS NOT NULL AND (c.amount <> h.amount OR c.user_id <> h.user_id))
    )
UNION ALL
SELECT 'hold', h.user_id, h.job, NULL, NULL, NULL, h.entry, 0, 0, 0, 0, 0, 0
FROM ledger AS h
LEFT JOIN ledger AS c ON c.hold = h.entry
LEFT JOIN job AS j ON j.id = h.job
WHERE h.kind = 'hold' AND c.entry IS NULL AND j.hold IS DISTINCT FROM h.entry
ORDER BY 1 DESC, 2, 7
