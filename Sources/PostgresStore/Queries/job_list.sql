-- One page of a user's jobs, newest first, older than $4.
SELECT
    0, coalesce($7::bigint, store_now()), r.id, r.user_id, r.kind, r.input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_following
FROM job_record AS r
WHERE r.user_id = $1::bigint AND r.id < $4::uuid AND ($2::text IS NULL OR r.status = $2)
    AND ($3::text IS NULL OR r.kind = $3)
ORDER BY r.id DESC
LIMIT $5::bigint OFFSET $6::bigint
