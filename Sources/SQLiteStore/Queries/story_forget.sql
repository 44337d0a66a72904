DELETE FROM story WHERE number IN (SELECT number FROM story WHERE day < ?1 ORDER BY day LIMIT ?2)
