SELECT state, name, added_at FROM watchlist_add($1, $2, $3, $4, $5)
