UPDATE balance SET held = held - ?2, used = used + ?2 WHERE user = ?1
