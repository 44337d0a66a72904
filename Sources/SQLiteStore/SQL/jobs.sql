-- Rows of jobs: submit, reads, progress, endings and retention.

-- name: job_owner
SELECT user FROM job WHERE id = ?1

-- name: job_by_idempotency_key
SELECT id, idempotency_fingerprint FROM job WHERE user = ?1 AND idempotency_key = ?2

-- name: job_by_unique_key
SELECT id FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL

-- name: job_insert
INSERT INTO job (
    id, user, kind, bundle, queue, priority, cost, max_attempts, concurrency_key, unique_key, idempotency_key,
    idempotency_fingerprint, created_at, time_limit, deadline, limited, status, blocked, run_at, hold, bundle_number,
    room, within, subject
)
VALUES (?1, ?2, ?3, '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 'pending', ?17, ?18, ?19,
    (SELECT number FROM bundle_number WHERE bundle = ?4), zeroblob(16), ?20, ?21)

-- name: bundle_number_insert
INSERT INTO bundle_number (bundle)
SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM bundle_number WHERE bundle = ?1)

-- name: job_input_insert
INSERT INTO job_input (job, input, packed, request_id) VALUES (?1, ?2, ?3, ?4)

-- name: job_request_id
SELECT coalesce(i.request_id, j.request_id)
FROM job AS j
LEFT JOIN job_input AS i ON i.job = j.number
WHERE j.id = ?1

-- name: job_input_get
SELECT coalesce(packed, input) FROM job_input WHERE job = ?1

-- name: job_input_drop
UPDATE job_input
SET input = 'null', packed = NULL
WHERE job = ?1 AND EXISTS (SELECT 1 FROM job WHERE number = ?1 AND attempt = 0)

-- name: unfinished_inputs
-- Of a kind's jobs that run, and of the next ones of each queue.
SELECT coalesce(i.packed, i.input)
FROM (
    SELECT job FROM (SELECT job FROM lease ORDER BY worker, job LIMIT ?2)
    UNION ALL
    SELECT job FROM (SELECT job FROM ready WHERE queue = 'interactive' ORDER BY position, job LIMIT ?2)
    UNION ALL
    SELECT job FROM (SELECT job FROM ready WHERE queue = 'background' ORDER BY position, job LIMIT ?2)
) AS unfinished
CROSS JOIN job AS j ON j.number = unfinished.job
CROSS JOIN job_input AS i ON i.job = unfinished.job
WHERE j.kind = ?1

-- name: job_result_insert
INSERT INTO job_result (job, result, packed) VALUES (?1, ?2, ?3)

-- name: job_get
SELECT * FROM job_record WHERE id = ?1 AND (?2 IS NULL OR user = ?2)

-- name: job_get_with_result
SELECT r.*, coalesce(result.packed, result.result, f.result)
FROM job_record AS r
LEFT JOIN job_result AS result ON result.job = r.number
LEFT JOIN finished_job AS f ON f.job = r.number
WHERE r.id = ?1 AND (?2 IS NULL OR r.user = ?2)

-- name: job_list
-- One page of a user's jobs older than ?4, of statuses in the list ?2, newest first.
SELECT *
FROM job_record
WHERE user = ?1 AND id < ?4 AND (?2 IS NULL OR instr(?2, status)) AND (?3 IS NULL OR kind = ?3)
ORDER BY id DESC
LIMIT ?5 OFFSET ?6

-- name: job_list_total
SELECT count(*)
FROM job AS j
LEFT JOIN job AS s ON s.number = j.subscribed_to
WHERE j.user = ?1 AND (?2 IS NULL OR instr(?2, coalesce(s.status, j.status))) AND (?3 IS NULL OR j.kind = ?3)

-- name: job_revision
-- A subscriber's revision grows with that of its shared job.
SELECT j.revision + coalesce(s.revision - j.shared_job_revision, 0)
FROM job AS j
LEFT JOIN job AS s ON s.number = j.subscribed_to
WHERE j.id = ?1

-- name: job_state_by_id
SELECT
    number, id, user, kind, queue, priority, cost, hold, concurrency_key, status, blocked, run_at, epoch,
    failed_epoch, deaths, worker, limited, waiting, drop_steps_from, subscribed_to,
    unique_key IS NOT NULL, waits_for
FROM job
WHERE id = ?1

-- name: job_state_by_number
SELECT
    number, id, user, kind, queue, priority, cost, hold, concurrency_key, status, blocked, run_at, epoch,
    failed_epoch, deaths, worker, limited, waiting, drop_steps_from, subscribed_to,
    unique_key IS NOT NULL, waits_for
FROM job
WHERE number = ?1

-- name: job_unique_key
SELECT unique_key FROM job WHERE number = ?1

-- name: job_report
UPDATE job
SET progress = max(progress, ?3), current_step = ?4, revision = revision + 1
WHERE id = ?1 AND epoch = ?2 AND status = 'processing' AND (progress < ?3 OR current_step IS NOT ?4)

-- name: job_complete
UPDATE job
SET status = 'completed',
    worker = NULL,
    progress = 100,
    current_step = NULL,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    completed_at = ?2,
    revision = revision + 1
WHERE number = ?1

-- name: job_retry
-- Returns a job to pending after a failed attempt.
UPDATE job
SET status = 'pending',
    worker = NULL,
    run_at = ?2,
    failed_epoch = epoch,
    error_code = ?3,
    error_message = ?4,
    error_user_message = ?5,
    revision = revision + 1
WHERE number = ?1

-- name: job_end
-- Ends a job without a result, as failed or cancelled.
UPDATE job
SET status = ?2,
    worker = NULL,
    blocked = 0,
    waiting = 0,
    run_at = NULL,
    failed_epoch = coalesce(?3, failed_epoch),
    error_code = ?4,
    error_message = ?5,
    error_user_message = ?6,
    completed_at = ?7,
    deadline = CASE
        WHEN deadline >= 4503599627370496 THEN ?7 + deadline - 4503599627370496 ELSE deadline
    END,
    drop_steps_from = ?8,
    cancelled_by = ?9,
    revision = revision + 1
WHERE number = ?1

-- name: job_release
-- Returns a job to pending without costing an attempt: the next run continues this one.
UPDATE job
SET status = 'pending', worker = NULL, run_at = ?2, waits_for = ?3, interrupted = 1, revision = revision + 1
WHERE number = ?1

-- name: job_restart
-- Restarts a job at a person's request, with all counts reset.
UPDATE job
SET status = 'pending',
    blocked = ?2,
    hold = ?3,
    deadline = ?4 + time_limit,
    waits_for = NULL,
    attempt = 0,
    interrupted = 0,
    deaths = 0,
    drop_steps_from = NULL,
    cancelled_by = NULL,
    progress = 0,
    current_step = NULL,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    started_at = NULL,
    completed_at = NULL,
    revision = revision + 1
WHERE number = ?1

-- name: job_expired
SELECT number FROM job WHERE deadline <= ?1 AND completed_at IS NULL ORDER BY deadline LIMIT ?2

-- name: ledger_job_keep
-- Keeps the kinds of the jobs that `job_delete_finished` deletes, for the ledger.
INSERT INTO ledger_job (job, kind)
SELECT id, kind
FROM job
WHERE cost > 0 AND number IN (
    SELECT number
    FROM job
    WHERE completed_at IS NOT NULL AND completed_at < ?1 AND (idempotency_key IS NULL OR created_at < ?2)
    ORDER BY completed_at
    LIMIT ?3
)
ON CONFLICT DO NOTHING

-- name: job_delete_finished
-- A job whose idempotency key may still be repeated stays.
DELETE FROM job
WHERE number IN (
    SELECT number
    FROM job
    WHERE completed_at IS NOT NULL AND completed_at < ?1 AND (idempotency_key IS NULL OR created_at < ?2)
    ORDER BY completed_at
    LIMIT ?3
)

-- name: archive_next
-- The next completed jobs whose inputs and results move to `finished_job`. `job_result` has only those that have not
-- moved; none is looked at whose number is above that of the last that ended in time.
SELECT r.job
FROM job_result AS r
CROSS JOIN job AS j ON j.number = r.job
WHERE j.completed_at < ?1
    AND r.job <= (SELECT number FROM job WHERE completed_at < ?1 ORDER BY completed_at DESC LIMIT 1)
ORDER BY r.job
LIMIT ?2

-- name: archive_job
INSERT INTO finished_job (job, input, result)
SELECT r.job, coalesce(i.packed, i.input), coalesce(r.packed, r.result)
FROM job_result AS r
CROSS JOIN job_input AS i ON i.job = r.job
WHERE r.job = ?1

-- name: archive_drop_input
DELETE FROM job_input WHERE job = ?1

-- name: archive_drop_result
DELETE FROM job_result WHERE job = ?1

-- name: history_pass_next
-- The next finished jobs whose journals may be deleted.
SELECT number, completed_at, status = 'completed'
FROM job
WHERE completed_at IS NOT NULL AND completed_at < ?1
    AND (completed_at, number) > (SELECT completed_at, job FROM history_pass)
ORDER BY completed_at, number
LIMIT ?2

-- name: history_pass_set
UPDATE history_pass SET completed_at = ?1, job = ?2
