SELECT outcome, earlier, granted, held, used, required FROM retry_job($1, $2, $3)
