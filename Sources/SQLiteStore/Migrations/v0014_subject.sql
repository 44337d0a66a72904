-- What a job is about, in a line for lists. Jobs from before have none.
ALTER TABLE job ADD COLUMN subject TEXT;

-- As before, with the subject.
DROP VIEW operator_job;
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
    j.subject,
    j.number
FROM job AS j
LEFT JOIN job_input AS i ON i.job = j.number
LEFT JOIN finished_job AS f ON f.job = j.number
LEFT JOIN job AS s ON s.number = j.subscribed_to;

-- As before, with the subject; the user's name is now `owner`.
CREATE VIEW operator_job AS
SELECT
    r.id, r.user, r.kind, 'null' AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject,
    r.number, coalesce(a.subject, CASE j.user WHEN -1 THEN 'system' ELSE cast(j.user AS TEXT) END) AS owner, w.id AS worker,
    j.epoch AS epoch, coalesce((SELECT i.request_id FROM job_input AS i WHERE i.job = j.number), j.request_id) AS request_id,
    coalesce((SELECT sum(m.cost_micro_dollars) FROM model_call AS m WHERE m.job = r.id), 0) AS cost_micro_dollars,
    c.provider, c.model, coalesce(c.heard_at, c.created_at) AS heard_at, j.cancelled_by
FROM job_record AS r
JOIN job AS j ON j.number = r.number
LEFT JOIN account AS a ON a.id = j.user
LEFT JOIN worker AS w ON w.number = j.worker
LEFT JOIN model_call AS c ON c.id = (
    SELECT m.id
    FROM model_call AS m
    WHERE m.job = r.id AND m.state = 'running'
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT 1
);
