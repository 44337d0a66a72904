-- Plans of users, and the credits of months.

-- name: plan_choice
SELECT plan, tier FROM user_plan WHERE user_id = $1

-- name: tier_note
INSERT INTO user_plan AS p (user_id, tier) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET tier = excluded.tier WHERE p.tier IS DISTINCT FROM excluded.tier

-- name: plan_choose
WITH chosen AS (
    INSERT INTO user_plan (user_id, plan) SELECT id, $3 FROM account WHERE id = $2
    ON CONFLICT (user_id) DO UPDATE SET plan = excluded.plan
    RETURNING user_id
)
SELECT write_audit($1, $4) FROM chosen

-- name: plan_credit_get
SELECT c.month, c.granted, c.spent, c.pool, c.used, coalesce(b.used, 0), coalesce(b.granted - b.used, 0)
FROM plan_credit AS c
LEFT JOIN LATERAL (
    SELECT * FROM balance AS n WHERE n.user_id = c.user_id ORDER BY n.bucket DESC LIMIT 1
) AS b ON true
WHERE c.user_id = $1

-- name: plan_credits_kept
SELECT EXISTS (SELECT FROM plan_credit)::int::bigint

-- name: plan_credit_due
-- Users after $1 whose account was opened before $2, and whose month $3 has not begun or whose credits of it are fewer
-- than $4.
SELECT a.id, p.plan, p.tier
FROM account AS a
LEFT JOIN user_plan AS p ON p.user_id = a.id
LEFT JOIN plan_credit AS c ON c.user_id = a.id
WHERE a.id > $1 AND a.created_at < $2
    AND (c.user_id IS NULL OR c.month < $3 OR c.month = $3 AND c.granted < $4::bigint)
ORDER BY a.id
LIMIT $5
