SELECT count(*)
FROM article_index
JOIN article AS a ON a.number = article_index.rowid
WHERE article_index MATCH ?1 AND a.duplicate_of IS NULL AND (?2 IS NULL OR a.category = ?2)
