-- What a job is about, in a line for lists. Jobs from before have none.
ALTER TABLE job ADD COLUMN subject text;

-- As before, with the subject.
CREATE OR REPLACE VIEW job_record WITH (security_invoker = true) AS
SELECT
    j.id, j.user_id, j.kind, j.input,
    coalesce(j.bundle, (SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number)) AS bundle,
    coalesce(s.status, j.status)::text AS status, coalesce(j.queue, 'background')::text AS queue,
    coalesce(j.priority, 0) AS priority,
    coalesce(s.progress, j.progress, 100::smallint) AS progress,
    CASE WHEN s.number IS NULL THEN j.current_step ELSE s.current_step END AS current_step,
    coalesce(s.attempt, j.attempt, (j.counts >> 20) & 4095) AS attempt,
    coalesce(j.max_attempts, (j.counts >> 32) & 4095) AS max_attempts, coalesce(j.cost, 0) AS cost,
    CASE WHEN s.number IS NULL THEN j.error_code ELSE s.error_code END AS error_code,
    CASE WHEN s.number IS NULL THEN j.error_message ELSE s.error_message END AS error_message,
    CASE WHEN s.number IS NULL THEN j.error_user_message ELSE s.error_user_message END AS error_user_message,
    coalesce(j.revision, j.counts & 1048575) + coalesce(s.revision - j.shared_job_revision, 0) AS revision,
    j.created_at,
    CASE
        WHEN s.number IS NULL THEN coalesce(j.started_at, j.created_at + nullif(j.times & 2147483647, 0) - 1)
        WHEN s.started_at IS NOT NULL THEN greatest(s.started_at, j.created_at)
    END AS started_at,
    j.completed_at, coalesce(j.deadline, j.created_at + (j.times >> 31)) AS deadline, j.run_at,
    CASE
        WHEN j.blocked THEN (
            SELECT p.id
            FROM serialized_job AS k
            JOIN job AS p ON p.number = k.job
            WHERE k.user_id = j.user_id AND k.concurrency_key = j.concurrency_key AND (k.holds OR k.job < j.number)
            ORDER BY k.holds, k.job DESC
            LIMIT 1
        )
    END AS held_up_by,
    coalesce(j.waiting, false) AS waiting,
    j.number,
    j.subscribed_to IS NOT NULL AS is_subscriber,
    j.waits_for,
    j.within,
    j.subject
FROM job AS j
LEFT JOIN job AS s ON s.number = j.subscribed_to;

-- As before, with the subject; the user's name is now `owner`.
DROP VIEW operator_job;
CREATE VIEW operator_job WITH (security_invoker = true) AS
SELECT
    r.id, r.user_id, r.kind, 'null'::text AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject,
    r.number, coalesce(a.subject, CASE j.user_id WHEN -1 THEN 'system' ELSE j.user_id::text END) AS owner, w.id AS worker,
    coalesce(j.epoch, (j.counts >> 44) & 65535) AS epoch, j.request_id AS request_id,
    coalesce((SELECT sum(m.cost_micro_dollars) FROM model_call AS m WHERE m.job = r.id), 0)::bigint AS cost_micro_dollars,
    c.provider, c.model, coalesce(c.heard_at, c.created_at) AS heard_at, j.cancelled_by
FROM job_record AS r
JOIN job AS j ON j.number = r.number
LEFT JOIN account AS a ON a.id = j.user_id
LEFT JOIN worker AS w ON w.number = j.worker AND j.status = 'processing'
LEFT JOIN LATERAL (
    SELECT m.provider, m.model, m.heard_at, m.created_at
    FROM model_call AS m
    WHERE m.job = r.id AND m.state = 'running'
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT 1
) AS c ON true;
