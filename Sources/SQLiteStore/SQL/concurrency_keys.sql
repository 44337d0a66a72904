-- Jobs with a concurrency key: one job of each key of a user goes ahead and blocks the others.

-- name: concurrency_key_holder
SELECT id
FROM job
WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 0

-- name: concurrency_key_next
-- The next job of a concurrency key.
SELECT number, queue, user, priority, kind, limited, run_at
FROM job
WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 1
ORDER BY number
LIMIT 1

-- name: concurrency_key_touch_next
-- Notes that the job after ?3 under a concurrency key now waits for another job.
UPDATE job
SET revision = revision + 1
WHERE number = (
    SELECT number
    FROM job
    WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 1 AND number > ?3
    ORDER BY number
    LIMIT 1
)

-- name: job_unblock
UPDATE job SET blocked = 0, run_at = ?2, revision = revision + 1 WHERE number = ?1
