SELECT count(*) FROM article
WHERE number IN (SELECT article FROM article_ticker WHERE ticker = ANY ($4))
    AND duplicate_of IS NULL AND published_at >= $1 AND published_at < $2 AND ($3::text IS NULL OR category = $3)
