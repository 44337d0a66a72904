SELECT a.id, v.model, v.components
FROM json_each(?1) AS wanted
JOIN article AS a ON a.id = wanted.value
JOIN article_vector AS v ON v.article = a.number
