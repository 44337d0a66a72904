SELECT source, etag, last_modified, asked_at, failures, problem
FROM news_source
WHERE source = ANY ($1)
ORDER BY source COLLATE "C"
