SELECT id
FROM job
WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 0
