-- What a job has been through: its attempts, its waits and the times of its steps.

-- Lines of JSON, one for each event that the other columns do not tell; `JobHistory` reads them. A job that is ready at
-- once and ends in its first attempt has none.
ALTER TABLE job ADD COLUMN history TEXT;
-- The number of the worker that ran it last.
ALTER TABLE job ADD COLUMN last_worker INTEGER;
ALTER TABLE job ADD COLUMN cancelled_by TEXT;
UPDATE job SET last_worker = worker WHERE worker IS NOT NULL;

-- The ids of workers by their numbers, those that are gone included.
CREATE TABLE worker_name (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL
) STRICT;

INSERT INTO worker_name (number, id) SELECT number, id FROM worker;

-- The run that made the step, its begin and its end.
ALTER TABLE step ADD COLUMN epoch INTEGER;
ALTER TABLE step ADD COLUMN started_at INTEGER;
ALTER TABLE step ADD COLUMN ended_at INTEGER;

-- Whether a simulator answered.
ALTER TABLE model_call ADD COLUMN simulated INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1));
-- The error of a call that failed, and the provider's name for its request.
ALTER TABLE model_call ADD COLUMN error_code TEXT;
ALTER TABLE model_call ADD COLUMN error_message TEXT;
ALTER TABLE model_call ADD COLUMN provider_request_id TEXT;

-- The columns of `job_record` in the order in which they are read, without the input; then those of operators.
DROP VIEW operator_job;
CREATE VIEW operator_job AS
SELECT
    r.id, r.user, r.kind, 'null' AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.number, coalesce(a.subject, CASE j.user WHEN -1 THEN 'system' ELSE cast(j.user AS TEXT) END) AS subject, w.id AS worker,
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
