SELECT adopt_bundle FROM adopt_bundle($1, $2, $3, $4, $5)
