SELECT count(*) FROM article
WHERE number IN (SELECT article FROM article_ticker WHERE ticker IN (SELECT value FROM json_each(?4)))
    AND duplicate_of IS NULL AND published_at >= ?1 AND published_at < ?2 AND (?3 IS NULL OR category = ?3)
