DELETE FROM step WHERE job = ?1 AND sequence >= ?2
