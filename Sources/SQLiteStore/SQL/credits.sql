-- Balances, the ledger and the audit that compares both.

-- name: balance_get
SELECT granted, held, used FROM balance WHERE user = ?1

-- name: balance_open
INSERT INTO balance (user, granted, held, used) VALUES (?1, ?2, 0, 0)

-- name: balance_grant
UPDATE balance SET granted = granted + ?2 WHERE user = ?1

-- name: balance_hold
UPDATE balance SET held = held + ?2 WHERE user = ?1

-- name: balance_settle
UPDATE balance SET held = held - ?2, used = used + ?2 WHERE user = ?1

-- name: balance_release
UPDATE balance SET held = held - ?2 WHERE user = ?1

-- name: ledger_insert
INSERT INTO ledger (user, kind, amount, job, hold, note, created_at, source, month)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)

-- name: credit_grant_get
SELECT id, user, amount, applied, source, created_at, granted, held, used FROM credit_grant WHERE digest = ?1

-- name: credit_grant_insert
INSERT INTO credit_grant (
    digest, external_id, id, user, amount, applied, source, note, created_at, granted, held, used)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)

-- name: plan_credit_stored
SELECT month, granted, spent, pool, used FROM plan_credit WHERE user = ?1

-- name: plan_credit_set
INSERT INTO plan_credit (user, month, granted, spent, pool, used) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (user) DO UPDATE
SET month = excluded.month, granted = excluded.granted, spent = excluded.spent, pool = excluded.pool,
    used = excluded.used

-- name: audit_jobs
-- Jobs whose hold contradicts their status.
SELECT j.user, j.id, j.status, h.kind, h.amount, c.kind
FROM job AS j
LEFT JOIN ledger AS h ON h.entry = j.hold
LEFT JOIN ledger AS c ON c.hold = j.hold
WHERE j.cost > 0
    AND (
        h.kind IS NOT 'hold' OR h.job IS NOT j.id OR h.amount IS NOT j.cost OR h.user IS NOT j.user
        OR c.kind IS NOT CASE j.status
            WHEN 'completed' THEN 'settle'
            WHEN 'failed' THEN 'release'
            WHEN 'cancelled' THEN 'release'
        END
        OR (c.kind IS NOT NULL AND (c.amount IS NOT h.amount OR c.user IS NOT h.user))
    )
ORDER BY j.number

-- name: audit_holds
-- Open holds that belong to no unfinished job.
SELECT h.user, h.job, h.entry
FROM ledger AS h
LEFT JOIN ledger AS c ON c.hold = h.entry
LEFT JOIN job AS j ON j.id = h.job
WHERE h.kind = 'hold' AND c.entry IS NULL AND j.hold IS NOT h.entry
ORDER BY h.entry

-- name: audit_balances
-- The stored balance beside the sums of the ledger, for every user with either. While an erasure moves the ledger, the
-- entries under its number count for its user.
WITH recomputed AS (
    SELECT
        coalesce((SELECT e.user FROM erasure AS e WHERE e.number = ledger.user), user) AS user,
        sum(CASE WHEN kind = 'grant' THEN amount ELSE 0 END) AS granted,
        sum(CASE kind WHEN 'hold' THEN amount WHEN 'settle' THEN -amount WHEN 'release' THEN -amount ELSE 0 END)
            AS held,
        sum(CASE WHEN kind = 'settle' THEN amount ELSE 0 END) AS used
    FROM ledger
    GROUP BY 1
)
SELECT
    coalesce(s.user, r.user) AS user,
    coalesce(s.granted, 0), coalesce(s.held, 0), coalesce(s.used, 0),
    coalesce(r.granted, 0), coalesce(r.held, 0), coalesce(r.used, 0)
FROM balance AS s
FULL JOIN recomputed AS r ON r.user = s.user
ORDER BY 1
