-- The claim: due jobs become ready, then each queue assigns positions in order. Read with `Jobs/Claim.swift`.

-- name: worker_number
SELECT number FROM worker WHERE id = ?1

-- name: scheduled_due
SELECT s.run_at, s.job, j.queue, j.user, j.priority, j.kind, j.limited
FROM scheduled AS s
CROSS JOIN job AS j ON j.number = s.job
WHERE s.run_at <= ?1
ORDER BY s.run_at, s.job
LIMIT ?2

-- name: scheduled_waiting
-- Jobs that wait for ?3 until a time after ?1 and no later than ?2.
SELECT s.job
FROM scheduled AS s
CROSS JOIN job AS j ON j.number = s.job
WHERE s.run_at > ?1 AND s.run_at <= ?2 AND j.waits_for = ?3
ORDER BY s.run_at, s.job
LIMIT ?4

-- name: scheduled_delete
DELETE FROM scheduled WHERE run_at = ?1 AND job = ?2

-- name: job_become_due
UPDATE job SET run_at = NULL, revision = revision + 1 WHERE number = ?1

-- name: ready_first
-- The first position of a queue, with its job and its user.
SELECT position, job, user FROM ready WHERE queue = ?1 ORDER BY position, job LIMIT 1

-- name: ready_best_of_user
-- The best ready job of the user to whom the first position belongs.
SELECT position, job FROM ready WHERE queue = ?1 AND user = ?2 ORDER BY priority DESC, job LIMIT 1

-- name: ready_first_of_partial
-- As `ready_first`, for a worker that cannot run the kinds ?2 and the bundles ?3, which are JSON arrays.
SELECT r.position, r.job, r.user
FROM ready AS r
CROSS JOIN job AS j ON j.number = r.job
WHERE r.queue = ?1 AND j.kind NOT IN (SELECT value FROM json_each(?2))
    AND coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle)
        NOT IN (SELECT value FROM json_each(?3))
ORDER BY r.position, r.job
LIMIT 1

-- name: ready_best_of_partial
-- As `ready_best_of_user`, for a worker that cannot run the kinds ?3 and the bundles ?4.
SELECT r.position, r.job
FROM ready AS r
CROSS JOIN job AS j ON j.number = r.job
WHERE r.queue = ?1 AND r.user = ?2 AND j.kind NOT IN (SELECT value FROM json_each(?3))
    AND coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle)
        NOT IN (SELECT value FROM json_each(?4))
ORDER BY r.priority DESC, r.job
LIMIT 1

-- name: ready_delete
DELETE FROM ready WHERE queue = ?1 AND position = ?2 AND job = ?3

-- name: ready_move
UPDATE ready SET position = ?4 WHERE queue = ?1 AND position = ?2 AND job = ?3

-- name: lease_insert
INSERT INTO lease (worker, job, claimed_at) VALUES (?1, ?2, ?3)

-- name: job_claim
UPDATE job
SET status = 'processing',
    worker = ?2,
    epoch = epoch + 1,
    attempt = CASE WHEN interrupted THEN attempt ELSE attempt + 1 END,
    progress = CASE WHEN interrupted THEN progress ELSE 0 END,
    current_step = CASE WHEN interrupted THEN current_step END,
    interrupted = 0,
    waits_for = NULL,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    started_at = coalesce(started_at, ?3),
    revision = revision + 1,
    room = NULL,
    last_worker = ?2,
    -- The row itself tells of a first claim of a job that was ready at once.
    history = CASE
        WHEN epoch > 0 OR history IS NOT NULL THEN CASE
                WHEN length(history) > 16000 THEN substr(history, 8000 + instr(substr(history, 8000), char(10))) || char(10)
                ELSE coalesce(history || char(10), '')
            END || json_object(
                    'at', ?3, 'event', 'claimed', 'epoch', epoch + 1, 'attempt',
                    CASE WHEN interrupted THEN attempt ELSE attempt + 1 END, 'worker',
                    (SELECT w.id FROM worker_name AS w WHERE w.number = ?2), 'steps',
                    (SELECT count(*) FROM step AS s WHERE s.job = ?1))
    END
WHERE number = ?1

-- name: job_claimed
SELECT
    j.id, j.epoch, j.user, j.kind, coalesce(i.packed, i.input),
    coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle), j.queue, j.attempt,
    j.max_attempts, j.progress, j.created_at, j.deadline, coalesce(i.request_id, j.request_id), j.within,
    j.epoch = 1 AND j.history IS NULL
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number
WHERE j.number = ?1

-- name: queue_advance
UPDATE queue SET virtual_time = ?2 WHERE name = ?1 AND virtual_time < ?2

-- name: scheduled_next
SELECT min(run_at) FROM scheduled WHERE run_at < 4503599627370496
