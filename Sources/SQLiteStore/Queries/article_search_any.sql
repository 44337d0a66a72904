SELECT r.*
FROM article_index
JOIN article_record AS r ON r.number = article_index.rowid
WHERE article_index MATCH ?1 AND r.duplicate_of IS NULL
ORDER BY bm25(article_index), r.id
LIMIT ?2
