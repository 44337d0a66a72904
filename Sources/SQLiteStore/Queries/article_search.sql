SELECT r.*
FROM article_index
JOIN article_record AS r ON r.number = article_index.rowid
WHERE article_index MATCH ?1 AND r.duplicate_of IS NULL AND (?2 IS NULL OR r.category = ?2)
ORDER BY r.published_at DESC, r.id DESC
LIMIT ?3 OFFSET ?4
