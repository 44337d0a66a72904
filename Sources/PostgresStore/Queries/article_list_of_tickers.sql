SELECT * FROM article_record
WHERE number IN (SELECT article FROM article_ticker WHERE ticker = ANY ($8))
    AND duplicate_of IS NULL AND ($7::text IS NULL OR category = $7) AND published_at >= $1 AND published_at < $2
    AND (published_at, id COLLATE "C") < ($3, $4)
ORDER BY published_at DESC, id COLLATE "C" DESC
LIMIT $5 OFFSET $6
