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
