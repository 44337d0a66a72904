SELECT a.id, v.model, v.components
FROM article AS a
JOIN article_vector AS v ON v.article = a.number
WHERE a.id = ANY ($1)
