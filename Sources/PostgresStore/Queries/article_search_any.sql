-- Words are letters and digits, so that nothing in them is an operator.
SELECT r.*
FROM article_index AS i
JOIN article_record AS r ON r.number = i.article
CROSS JOIN to_tsquery('english', $1::text) AS q (query)
WHERE i.words @@ q.query AND r.duplicate_of IS NULL
ORDER BY ts_rank(i.words, q.query) DESC, r.id COLLATE "C"
LIMIT $2::bigint
