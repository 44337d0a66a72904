UPDATE balance SET held = held + ?2 WHERE user = ?1
