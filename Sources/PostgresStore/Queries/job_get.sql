-- Jobs of those who may see them: of the user beside each id, or any where there is none.
SELECT
    asked.place, coalesce($3::bigint, store_now()), r.id, r.user_id, r.kind, r.input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_following
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked (id, user_id, place)
CROSS JOIN LATERAL (SELECT * FROM job_record WHERE job_record.id = asked.id OFFSET 0) AS r
WHERE asked.user_id IS NULL OR r.user_id = asked.user_id
