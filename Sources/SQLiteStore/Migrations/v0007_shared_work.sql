-- Shared work: a job that follows a leader waits for it and ends with it.

-- The number of the leader, while the job follows it: the fifth place of a pending job.
ALTER TABLE job ADD COLUMN following INTEGER
    CHECK (following IS NULL OR (status = 'pending' AND blocked = 0 AND waiting = 0 AND limited = 0 AND run_at IS NULL));

-- The leader's revision when the job began to follow it. What its owner sees is a revision that grows with the leader's.
ALTER TABLE job ADD COLUMN shared_job_revision INTEGER CHECK ((shared_job_revision IS NULL) = (following IS NULL));

-- What a retry by a person looks for: the key of the work, whose jobs its leaders are, and the last leader.
ALTER TABLE job ADD COLUMN shared_key TEXT;
ALTER TABLE job ADD COLUMN shared_owner INTEGER;
ALTER TABLE job ADD COLUMN sharedJob BLOB;

CREATE INDEX job_following ON job (following) WHERE following IS NOT NULL;

DROP VIEW job_record;

-- A job as its owner sees it; `held_up_by` is the job before it in the queue of its serial key. One that follows shows
-- how its leader is doing. The order of the columns is the one in which `Job` is read.
CREATE VIEW job_record AS
SELECT
    j.id, j.user, j.kind, i.input, j.bundle, coalesce(l.status, j.status) AS status, j.queue, j.priority,
    coalesce(l.progress, j.progress) AS progress,
    CASE WHEN l.number IS NULL THEN j.current_step ELSE l.current_step END AS current_step,
    coalesce(l.attempt, j.attempt) AS attempt, j.max_attempts, j.cost,
    CASE WHEN l.number IS NULL THEN j.error_code ELSE l.error_code END AS error_code,
    CASE WHEN l.number IS NULL THEN j.error_message ELSE l.error_message END AS error_message,
    CASE WHEN l.number IS NULL THEN j.error_user_message ELSE l.error_user_message END AS error_user_message,
    j.revision + coalesce(l.revision - j.shared_job_revision, 0) AS revision, j.created_at,
    CASE WHEN l.number IS NULL THEN j.started_at ELSE max(l.started_at, j.created_at) END AS started_at,
    j.completed_at, j.deadline, j.run_at,
    CASE
        WHEN j.blocked THEN coalesce(
            (
                SELECT p.id
                FROM job AS p
                WHERE p.user = j.user AND p.concurrency_key = j.concurrency_key AND p.completed_at IS NULL AND p.blocked = 1
                    AND p.number < j.number
                ORDER BY p.number DESC
                LIMIT 1
            ),
            (
                SELECT h.id
                FROM job AS h
                WHERE h.user = j.user AND h.concurrency_key = j.concurrency_key AND h.completed_at IS NULL AND h.blocked = 0
            )
        )
    END AS held_up_by,
    j.waiting,
    l.number IS NOT NULL AS is_following,
    j.number
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number
LEFT JOIN job AS l ON l.number = j.following;
