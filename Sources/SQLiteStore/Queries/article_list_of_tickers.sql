SELECT * FROM article_record
WHERE number IN (SELECT article FROM article_ticker WHERE ticker IN (SELECT value FROM json_each(?8)))
    AND duplicate_of IS NULL AND (?7 IS NULL OR category = ?7) AND published_at >= ?1 AND published_at < ?2
    AND (published_at, id) < (?3, ?4)
ORDER BY published_at DESC, id DESC
LIMIT ?5 OFFSET ?6
