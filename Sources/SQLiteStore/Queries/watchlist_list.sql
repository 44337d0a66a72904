SELECT ticker, name, added_at FROM watchlist WHERE user = ? ORDER BY added_at DESC, ticker
