DELETE FROM rate_count WHERE minute < ?
