DELETE FROM watchlist WHERE user_id = $1 AND ticker = $2 RETURNING ticker
