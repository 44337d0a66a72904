SELECT name, is_current, version, state, timestamp FROM exchange_budgets($1, $2, $3)
