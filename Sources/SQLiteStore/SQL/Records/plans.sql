-- Plans of users, and the credits of months.

-- name: plan_choice
SELECT plan, tier FROM user_plan WHERE user = ?1

-- name: tier_note
INSERT INTO user_plan (user, tier) VALUES (?1, ?2)
ON CONFLICT (user) DO UPDATE SET tier = excluded.tier WHERE tier IS NOT excluded.tier

-- name: plan_choose
INSERT INTO user_plan (user, plan) SELECT id, ?3 FROM account WHERE id = ?2
ON CONFLICT (user) DO UPDATE SET plan = excluded.plan;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?4 WHERE EXISTS (SELECT 1 FROM account WHERE id = ?2);
SELECT 1 FROM account WHERE id = ?2

-- name: plan_credit_get
SELECT c.month, c.granted, c.spent, c.pool, c.used, coalesce(b.used, 0), coalesce(b.granted - b.used, 0)
FROM plan_credit AS c
LEFT JOIN balance AS b ON b.user = c.user
WHERE c.user = ?1

-- name: plan_credits_kept
SELECT EXISTS (SELECT 1 FROM plan_credit)

-- name: plan_credit_due
-- Users after ?1 whose account was opened before ?2, and whose month ?3 has not begun or whose credits of it are fewer
-- than ?4.
SELECT a.id, p.plan, p.tier
FROM account AS a
LEFT JOIN user_plan AS p ON p.user = a.id
LEFT JOIN plan_credit AS c ON c.user = a.id
WHERE a.id > ?1 AND a.created_at < ?2 AND (c.user IS NULL OR c.month < ?3 OR c.month = ?3 AND c.granted < ?4)
ORDER BY a.id
LIMIT ?5
