-- The current bundle with the limits of its kinds, and shared budgets.

-- name: adopt_bundle
SELECT adopt_bundle($1, $2, $3, $4, $5)

-- name: current_bundle_get
SELECT hash FROM current_bundle

-- name: exchange_budgets
SELECT name, is_current, version, state, store_time FROM exchange_budgets($1, $2, $3)

-- name: settle_pauses
SELECT has_more, made_ready FROM settle_pauses($1, $2, $3)
