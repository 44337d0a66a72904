SELECT * FROM change_preferences($1, $2, $3, $4, $5, $6)
