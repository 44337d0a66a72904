SELECT count(*)
FROM article_index AS i
JOIN article AS a ON a.number = i.article
WHERE i.words @@ plainto_tsquery('english', $1::text) AND a.duplicate_of IS NULL
    AND ($2::text IS NULL OR a.category = $2::text)
