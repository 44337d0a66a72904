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
