SELECT a.id, v.model, v.components
FROM (
    SELECT number, id, published_at
    FROM article
    WHERE duplicate_of IS NULL
    ORDER BY published_at DESC, id DESC
    LIMIT ?2
) AS a
CROSS JOIN article_vector AS v ON v.article = a.number
WHERE v.model = ?1
ORDER BY a.published_at DESC, a.id DESC
