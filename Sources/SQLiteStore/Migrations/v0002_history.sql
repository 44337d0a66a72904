-- Finished jobs.

-- Large texts are kept compressed, as `CompressedText` makes them: then `packed` has the bytes, and the text is empty.
ALTER TABLE job_input ADD COLUMN packed BLOB;
ALTER TABLE job_result ADD COLUMN packed BLOB;
ALTER TABLE step ADD COLUMN packed BLOB;

-- The id of the request lives as long as the input, so that the row of a job is small.
ALTER TABLE job_input ADD COLUMN request_id TEXT;

-- Jobs have the number of their bundle; those of version 1 have its text. The text is empty where there is a number.
CREATE TABLE bundle_number (
    number INTEGER PRIMARY KEY,
    bundle TEXT NOT NULL UNIQUE
) STRICT;

ALTER TABLE job ADD COLUMN bundle_number INTEGER;

-- Room for what a row gains when its job runs and ends: a row that does not grow does not split its page.
ALTER TABLE job ADD COLUMN room BLOB;

-- Inputs and results of jobs that completed some minutes ago, in the order of the jobs: rows that are inserted at the
-- end fill their pages. Each is a text or its compressed bytes.
CREATE TABLE finished_job (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    input ANY NOT NULL,
    result ANY NOT NULL
) STRICT;

-- As before, with packed inputs, inputs of finished jobs, numbers of bundles, and the columns that
-- `v0002_queue.sql` adds.
DROP VIEW job_record;

CREATE VIEW job_record AS
SELECT
    j.id, j.user, j.kind, coalesce(i.packed, i.input, f.input) AS input,
    coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle) AS bundle,
    coalesce(s.status, j.status) AS status, j.queue, j.priority,
    coalesce(s.progress, j.progress) AS progress,
    CASE WHEN s.number IS NULL THEN j.current_step ELSE s.current_step END AS current_step,
    coalesce(s.attempt, j.attempt) AS attempt, j.max_attempts, j.cost,
    CASE WHEN s.number IS NULL THEN j.error_code ELSE s.error_code END AS error_code,
    CASE WHEN s.number IS NULL THEN j.error_message ELSE s.error_message END AS error_message,
    CASE WHEN s.number IS NULL THEN j.error_user_message ELSE s.error_user_message END AS error_user_message,
    j.revision + coalesce(s.revision - j.shared_job_revision, 0) AS revision, j.created_at,
    CASE WHEN s.number IS NULL THEN j.started_at ELSE max(s.started_at, j.created_at) END AS started_at,
    j.completed_at, j.deadline, j.run_at,
    CASE
        WHEN j.blocked THEN coalesce(
            (
                SELECT p.id
                FROM job AS p
                WHERE p.user = j.user AND p.concurrency_key = j.concurrency_key AND p.completed_at IS NULL
                    AND p.blocked = 1 AND p.number < j.number
                ORDER BY p.number DESC
                LIMIT 1
            ),
            (
                SELECT h.id
                FROM job AS h
                WHERE h.user = j.user AND h.concurrency_key = j.concurrency_key AND h.completed_at IS NULL
                    AND h.blocked = 0
            )
        )
    END AS held_up_by,
    j.waiting,
    s.number IS NOT NULL AS is_subscriber, j.waits_for, j.within,
    j.number
FROM job AS j
LEFT JOIN job_input AS i ON i.job = j.number
LEFT JOIN finished_job AS f ON f.job = j.number
LEFT JOIN job AS s ON s.number = j.subscribed_to;

-- How far the deletion of journals has come, which goes through jobs in the order of their ends.
CREATE TABLE history_pass (
    completed_at INTEGER NOT NULL,
    job INTEGER NOT NULL
) STRICT;

INSERT INTO history_pass (completed_at, job) VALUES (0, 0);
