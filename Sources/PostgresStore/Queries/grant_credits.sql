SELECT granted, held, used FROM grant_credits($1, $2, $3, $4, $5, $6)
