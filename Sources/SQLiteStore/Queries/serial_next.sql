-- The job that a serial key lets through next.
SELECT number, queue, user, priority, kind, limited, run_at
FROM job
WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 1
ORDER BY number
LIMIT 1
