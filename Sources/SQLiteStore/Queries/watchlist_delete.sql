DELETE FROM watchlist WHERE user = ? AND ticker = ?
