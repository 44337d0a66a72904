INSERT INTO news_source (source, etag, last_modified, asked_at, failures, problem)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (source) DO UPDATE SET
    etag = excluded.etag, last_modified = excluded.last_modified, asked_at = excluded.asked_at,
    failures = excluded.failures, problem = excluded.problem
