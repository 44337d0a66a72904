SELECT ticker, name, added_at FROM watchlist WHERE user_id = $1 ORDER BY added_at DESC, ticker
