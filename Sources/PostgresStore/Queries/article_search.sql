SELECT r.*
FROM article_index AS i
JOIN article_record AS r ON r.number = i.article
WHERE i.words @@ plainto_tsquery('english', $1::text) AND r.duplicate_of IS NULL
    AND ($2::text IS NULL OR r.category = $2::text)
ORDER BY r.published_at DESC, r.id COLLATE "C" DESC
LIMIT $3::bigint OFFSET $4::bigint
