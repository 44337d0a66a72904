-- The job behind ?3 in the queue of a serial key waits for another job than before.
UPDATE job
SET revision = revision + 1
WHERE number = (
    SELECT number
    FROM job
    WHERE user = ?1 AND concurrency_key = ?2 AND completed_at IS NULL AND blocked = 1 AND number > ?3
    ORDER BY number
    LIMIT 1
)
