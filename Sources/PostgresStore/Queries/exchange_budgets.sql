SELECT name, is_current, version, state, moment FROM exchange_budgets($1, $2, $3)
