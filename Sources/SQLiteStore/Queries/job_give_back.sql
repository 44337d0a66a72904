-- Back to pending without the cost of an attempt: the next run continues this one.
UPDATE job
SET status = 'pending', worker = NULL, run_at = ?2, interrupted = 1, revision = revision + 1
WHERE number = ?1
