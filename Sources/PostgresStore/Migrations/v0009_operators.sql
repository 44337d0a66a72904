-- What operators read of the jobs of all users.

CREATE INDEX model_call_of_job ON model_call (job);
CREATE INDEX job_failed ON job (number) WHERE status = 'failed';
CREATE INDEX finished_job_failed ON finished_job (number) WHERE status = 'failed';

-- The last time at which a call that runs told of its answer.
ALTER TABLE model_call ADD COLUMN heard_at bigint;

-- The columns of `job_record` in the order in which they are read, without the input; then those of operators.
CREATE VIEW operator_job WITH (security_invoker = true) AS
SELECT
    r.id, r.user_id, r.kind, 'null'::text AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.number, coalesce(a.subject, CASE j.user_id WHEN -1 THEN 'system' ELSE j.user_id::text END) AS subject, w.id AS worker,
    coalesce(j.epoch, (j.counts >> 44) & 65535) AS epoch, j.request_id AS request_id,
    coalesce((SELECT sum(m.cost_micro_dollars) FROM model_call AS m WHERE m.job = r.id), 0)::bigint AS cost_micro_dollars,
    c.provider, c.model, coalesce(c.heard_at, c.created_at) AS heard_at
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
