-- Submitting, reading, cancelling, retrying and removing jobs. `Functions/` has the functions of these names.

-- name: submit_jobs
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked
FROM submit_jobs(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
)

-- name: submit_one_each
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked
FROM submit_one_each($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)

-- name: submit_shared_jobs
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked
FROM submit_shared_jobs(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26, $27
)

-- name: job_get
-- Jobs by id, each only when it belongs to the user beside its id; NULL is any user.
SELECT
    asked.place, coalesce($3::bigint, store_now()), r.id, r.user_id, r.kind, r.input, r.bundle, r.status,
    r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked (id, user_id, place)
CROSS JOIN LATERAL (SELECT * FROM job_record WHERE job_record.id = asked.id OFFSET 0) AS r
WHERE asked.user_id IS NULL OR r.user_id = asked.user_id

-- name: job_get_with_result
-- As `job_get`, with the results.
SELECT
    asked.place, coalesce($3::bigint, store_now()), r.id, r.user_id, r.kind, r.input, r.bundle, r.status,
    r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject, j.packed, j.result
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked (id, user_id, place)
CROSS JOIN LATERAL (SELECT * FROM job_record WHERE job_record.id = asked.id OFFSET 0) AS r
CROSS JOIN LATERAL (SELECT job.packed, job.result FROM job WHERE job.number = r.number OFFSET 0) AS j
WHERE asked.user_id IS NULL OR r.user_id = asked.user_id

-- name: job_list
-- One page of a user's jobs, of statuses in the list $2, newest first, older than $4.
SELECT
    0, coalesce($7::bigint, store_now()), r.id, r.user_id, r.kind, r.input, r.bundle, r.status,
    r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject
FROM job_record AS r
WHERE r.user_id = $1::bigint AND r.id < $4::uuid AND ($2::text IS NULL OR strpos($2, r.status) > 0)
    AND ($3::text IS NULL OR r.kind = $3)
ORDER BY r.id DESC
LIMIT $5::bigint OFFSET $6::bigint

-- name: job_list_total
SELECT count(*)
FROM job AS j
LEFT JOIN job AS shared ON shared.number = j.subscribed_to
WHERE j.user_id = $1::bigint AND ($2::text IS NULL OR strpos($2, coalesce(shared.status, j.status)::text) > 0)
    AND ($3::text IS NULL OR j.kind = $3)

-- name: unfinished_inputs
-- Of a kind's jobs that run, and of the next ones of each queue.
SELECT j.input
FROM (
    (SELECT job FROM lease ORDER BY worker, job LIMIT $2)
    UNION ALL
    (SELECT job FROM ready WHERE queue = 'interactive' ORDER BY position, job LIMIT $2)
    UNION ALL
    (SELECT job FROM ready WHERE queue = 'background' ORDER BY position, job LIMIT $2)
) AS unfinished
CROSS JOIN LATERAL (
    SELECT job.kind, job.input FROM ONLY job WHERE job.number = unfinished.job OFFSET 0
) AS j
WHERE j.kind = $1

-- name: job_revisions
SELECT j.id, coalesce(j.revision, j.counts & 1048575) + coalesce(shared.revision - j.shared_job_revision, 0)
FROM unnest($1::uuid[]) AS asked (id)
CROSS JOIN LATERAL (
    SELECT job.id, job.revision, job.counts, job.subscribed_to, job.shared_job_revision
    FROM job
    WHERE job.id = asked.id
    OFFSET 0
) AS j
LEFT JOIN LATERAL (SELECT job.revision FROM job WHERE job.number = j.subscribed_to OFFSET 0) AS shared ON true

-- name: job_request_ids
SELECT j.id, j.request_id
FROM unnest($1::uuid[]) AS asked (id)
CROSS JOIN LATERAL (SELECT job.id, job.request_id FROM job WHERE job.id = asked.id OFFSET 0) AS j
WHERE j.request_id IS NOT NULL

-- name: cancel_jobs
SELECT place, is_there, has_ended FROM cancel_jobs($1, $2, $3, $4, $5, $6)

-- name: retry_job
SELECT outcome, earlier, granted, held, used, required FROM retry_job($1, $2, $3, $4)

-- name: expire_jobs
-- $7 is the latest time by which deadlines are judged, whatever the store's clock says.
SELECT id
FROM expire_jobs(
    coalesce($1::bigint, least(store_now(), $7::bigint)), $2, $3, $4, $5, $6, $8::text[], $9::text[]
)

-- name: jobs_to_archive
SELECT number, result FROM jobs_to_archive($1, $2, $3)

-- name: archive_finished_jobs
SELECT archive_finished_jobs($1, $2, $3, $4)

-- name: delete_journals
SELECT delete_journals($1, $2, $3)

-- name: delete_finished_jobs
SELECT delete_finished_jobs($1, $2, $3, $4)

-- name: delete_model_calls
SELECT delete_model_calls($1, $2)
