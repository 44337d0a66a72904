-- The history of a job: a line of JSON for each event that its row does not tell. `JobHistory` reads the lines. The oldest
-- ones go when there are many.

-- name: job_history_add
-- Adds the line ?2.
UPDATE job
SET history = CASE
        WHEN length(history) > 16000 THEN substr(history, 8000 + instr(substr(history, 8000), char(10))) || char(10)
        ELSE coalesce(history || char(10), '')
    END || ?2
WHERE number = ?1

-- name: job_history_returned
-- Adds that a run ended with ?3 at ?2 and that its job goes on; the worker was last heard of at ?6.
UPDATE job
SET history = CASE
        WHEN length(history) > 16000 THEN substr(history, 8000 + instr(substr(history, 8000), char(10))) || char(10)
        ELSE coalesce(history || char(10), '')
    END || json_object(
        'at', ?2, 'event', 'returned', 'outcome', ?3, 'epoch', epoch, 'attempt', attempt, 'began', started_at, 'worker',
        (SELECT w.id FROM worker_name AS w WHERE w.number = last_worker), 'code', ?4, 'message', substr(?5, 1, 200),
        'seen', ?6)
WHERE number = ?1

-- name: job_history_restarted
-- Adds how a job has ended that is restarted at ?2.
UPDATE job
SET history = CASE
        WHEN length(history) > 16000 THEN substr(history, 8000 + instr(substr(history, 8000), char(10))) || char(10)
        ELSE coalesce(history || char(10), '')
    END || json_object(
        'at', ?2, 'event', 'restarted', 'outcome', status, 'epoch', epoch, 'attempt', attempt, 'began', started_at,
        'ended', completed_at, 'worker', (SELECT w.id FROM worker_name AS w WHERE w.number = last_worker), 'code',
        error_code, 'message', substr(error_message, 1, 200))
WHERE number = ?1

-- name: audit_add
INSERT INTO audit_writer (at, entry) VALUES (?1, ?2)
