SELECT id, created_at FROM account_for($1, $2, $3)
