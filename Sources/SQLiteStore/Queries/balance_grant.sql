UPDATE balance SET granted = granted + ?2 WHERE user = ?1
