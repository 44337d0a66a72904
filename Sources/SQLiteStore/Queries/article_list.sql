SELECT * FROM article_record
WHERE duplicate_of IS NULL AND published_at >= ?1 AND published_at < ?2 AND (published_at, id) < (?3, ?4)
ORDER BY published_at DESC, id DESC
LIMIT ?5 OFFSET ?6
