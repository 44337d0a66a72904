SELECT count(*) FROM article
WHERE duplicate_of IS NULL AND published_at >= $1 AND published_at < $2 AND ($3::text IS NULL OR category = $3)
