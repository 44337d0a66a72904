-- name: shared_job_get
-- The unfinished leader of a key.
SELECT number, id, revision FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL

-- name: shared_job_restartable
-- An earlier leader of a key that can be started again.
SELECT number FROM job WHERE id = ?1 AND user = ?2 AND unique_key = ?3 AND status IN ('failed', 'cancelled')

-- name: job_set_shared_key
-- What a retry by a person looks for.
UPDATE job SET shared_owner = ?2, shared_key = ?3 WHERE number = ?1

-- name: job_shared_key
SELECT shared_owner, shared_key, sharedJob FROM job WHERE number = ?1

-- name: job_subscribe
UPDATE job SET following = ?2, shared_job_revision = ?3, sharedJob = ?4 WHERE number = ?1

-- name: job_unsubscribe
-- Alone again, with what its owner saw of the leader.
UPDATE job
SET progress = l.progress,
    current_step = l.current_step,
    attempt = l.attempt,
    started_at = max(l.started_at, job.created_at),
    revision = job.revision + l.revision - job.shared_job_revision,
    following = NULL,
    shared_job_revision = NULL
FROM job AS l
WHERE job.number = ?1 AND l.number = job.following

-- name: subscriber_results
INSERT INTO job_result (job, result)
SELECT f.number, r.result
FROM job AS f
CROSS JOIN job_result AS r
WHERE f.following = ?1 AND r.job = ?1

-- name: subscriber_ledger
INSERT INTO ledger (user, kind, amount, job, hold, created_at)
SELECT user, ?2, cost, id, hold, ?3 FROM job WHERE following = ?1 AND cost > 0 ORDER BY number

-- name: subscriber_balances
-- What followers held is used, or free again.
UPDATE balance
SET held = held - f.amount, used = used + CASE ?2 WHEN 'settle' THEN f.amount ELSE 0 END
FROM (SELECT user, sum(cost) AS amount FROM job WHERE following = ?1 AND cost > 0 GROUP BY user) AS f
WHERE balance.user = f.user

-- name: subscriber_end
-- Followers end as their leader did.
UPDATE job
SET status = l.status,
    progress = l.progress,
    current_step = l.current_step,
    attempt = l.attempt,
    started_at = max(l.started_at, job.created_at),
    completed_at = l.completed_at,
    error_code = l.error_code,
    error_message = l.error_message,
    error_user_message = l.error_user_message,
    revision = job.revision + l.revision - job.shared_job_revision,
    following = NULL,
    shared_job_revision = NULL
FROM job AS l
WHERE l.number = ?1 AND job.following = ?1
