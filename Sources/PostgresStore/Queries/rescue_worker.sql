SELECT id, is_poisoned FROM rescue_worker($1, $2, $3, $4, $5, $6, $7)
