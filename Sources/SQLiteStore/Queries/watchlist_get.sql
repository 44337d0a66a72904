SELECT ticker, name, added_at FROM watchlist WHERE user = ? AND ticker = ?
