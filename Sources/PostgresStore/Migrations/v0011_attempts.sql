-- What a job has been through: its attempts, its waits and the times of its steps.

-- Lines of JSON, one for each event that the other columns do not tell; `JobHistory` reads them. A job that is ready at
-- once and ends in its first attempt has none.
ALTER TABLE job ADD COLUMN history text;
ALTER TABLE job ADD COLUMN cancelled_by text;

-- The ids of workers by their numbers, those that are gone included.
CREATE TABLE worker_name (
    number bigint PRIMARY KEY,
    id text NOT NULL
);
INSERT INTO worker_name (number, id) SELECT number, id FROM worker;

-- The run that made the step, its begin and its end.
ALTER TABLE step ADD COLUMN epoch bigint;
ALTER TABLE step ADD COLUMN started_at bigint;
ALTER TABLE step ADD COLUMN ended_at bigint;

-- Whether a simulator answered.
ALTER TABLE model_call ADD COLUMN simulated boolean NOT NULL DEFAULT false;
-- The error of a call that failed, and the provider's name for its request.
ALTER TABLE model_call ADD COLUMN error_code text;
ALTER TABLE model_call ADD COLUMN error_message text;
ALTER TABLE model_call ADD COLUMN provider_request_id text;

-- The columns of `job_record` in the order in which they are read, without the input; then those of operators.
CREATE OR REPLACE VIEW operator_job WITH (security_invoker = true) AS
SELECT
    r.id, r.user_id, r.kind, 'null'::text AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.number, coalesce(a.subject, CASE j.user_id WHEN -1 THEN 'system' ELSE j.user_id::text END) AS subject, w.id AS worker,
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
