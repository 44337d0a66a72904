-- The fleet's budgets at its model providers.

-- name: budget_get
SELECT state FROM budget WHERE name = ?1

-- name: budget_set
INSERT INTO budget (name, state) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET state = excluded.state
