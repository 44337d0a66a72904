SELECT s.source, s.etag, s.last_modified, s.asked_at, s.failures, s.problem
FROM news_source AS s
WHERE s.source IN (SELECT value FROM json_each(?1))
ORDER BY s.source
