SELECT a.id, v.model, v.components
FROM (
    SELECT number, id, published_at
    FROM article
    WHERE duplicate_of IS NULL
    ORDER BY published_at DESC, id COLLATE "C" DESC
    LIMIT $2::bigint
) AS a
CROSS JOIN LATERAL (SELECT * FROM article_vector WHERE article = a.number LIMIT 1) AS v
WHERE v.model = $1::text
ORDER BY a.published_at DESC, a.id COLLATE "C" DESC
