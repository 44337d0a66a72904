DELETE FROM article
WHERE number IN (SELECT number FROM article WHERE fetched_at < ?1 ORDER BY fetched_at LIMIT ?2)
