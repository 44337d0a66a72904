SELECT id FROM expire_jobs($1, $2, $3, $4, $5, $6)
