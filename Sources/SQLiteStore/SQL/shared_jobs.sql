-- Shared jobs and their subscribers.

-- name: shared_job_get
-- The unfinished shared job of a key.
SELECT number, id, revision FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL

-- name: shared_job_restartable
-- An earlier shared job of a key that can be restarted.
SELECT number FROM job WHERE id = ?1 AND user = ?2 AND unique_key = ?3 AND status IN ('failed', 'cancelled')

-- name: job_set_shared_key
-- Records the shared work, for a retry by a person.
UPDATE job SET shared_owner = ?2, shared_key = ?3 WHERE number = ?1

-- name: job_shared_key
SELECT shared_owner, shared_key, shared_job FROM job WHERE number = ?1

-- name: job_subscribe
UPDATE job SET subscribed_to = ?2, shared_job_revision = ?3, shared_job = ?4 WHERE number = ?1

-- name: job_unsubscribe
-- Ends a subscription; the job keeps the progress that its owner has seen.
UPDATE job
SET progress = s.progress,
    current_step = s.current_step,
    attempt = s.attempt,
    started_at = max(s.started_at, job.created_at),
    revision = job.revision + s.revision - job.shared_job_revision,
    subscribed_to = NULL,
    shared_job_revision = NULL
FROM job AS s
WHERE job.number = ?1 AND s.number = job.subscribed_to

-- name: subscriber_results
INSERT INTO job_result (job, result, packed)
SELECT f.number, r.result, r.packed
FROM job AS f
CROSS JOIN job_result AS r
WHERE f.subscribed_to = ?1 AND r.job = ?1

-- name: subscriber_ledger
INSERT INTO ledger (user, kind, amount, job, hold, created_at)
SELECT user, ?2, cost, id, hold, ?3 FROM job WHERE subscribed_to = ?1 AND cost > 0 ORDER BY number

-- name: subscriber_balances
-- Settles or releases the holds of all subscribers.
UPDATE balance
SET held = held - f.amount, used = used + CASE ?2 WHEN 'settle' THEN f.amount ELSE 0 END
FROM (SELECT user, sum(cost) AS amount FROM job WHERE subscribed_to = ?1 AND cost > 0 GROUP BY user) AS f
WHERE balance.user = f.user

-- name: subscriber_end
-- Ends all subscribers as the shared job has ended.
UPDATE job
SET status = s.status,
    progress = s.progress,
    current_step = s.current_step,
    attempt = s.attempt,
    started_at = max(s.started_at, job.created_at),
    completed_at = s.completed_at,
    deadline = CASE
        WHEN job.deadline >= 4503599627370496 THEN s.completed_at + job.deadline - 4503599627370496
        ELSE job.deadline
    END,
    error_code = s.error_code,
    error_message = s.error_message,
    error_user_message = s.error_user_message,
    revision = job.revision + s.revision - job.shared_job_revision,
    subscribed_to = NULL,
    shared_job_revision = NULL
FROM job AS s
WHERE s.number = ?1 AND job.subscribed_to = ?1
