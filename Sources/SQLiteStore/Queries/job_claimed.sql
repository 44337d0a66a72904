SELECT
    j.id, j.epoch, j.user, j.kind, i.input, j.bundle, j.queue, j.attempt, j.max_attempts, j.progress, j.created_at,
    j.deadline, j.request_id
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number
WHERE j.number = ?1
