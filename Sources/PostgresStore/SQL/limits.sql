-- The current bundle with its concurrency limits, shared budgets and rates.

-- name: adopt_bundle
SELECT adopt_bundle FROM adopt_bundle($1, $2, $3, $4, $5)

-- name: current_bundle_get
SELECT hash FROM current_bundle

-- name: exchange_budgets
SELECT name, is_current, version, state, timestamp FROM exchange_budgets($1, $2, $3)
