-- Operations on many jobs.
CREATE TABLE operation (
    id text COLLATE "C" PRIMARY KEY,
    action text NOT NULL,
    filter text NOT NULL,
    user_id bigint,
    note text,
    actor_type text NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    request_id text,
    fingerprint text NOT NULL,
    status text NOT NULL DEFAULT 'collecting',
    matched bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    started_at bigint NOT NULL,
    completed_at bigint,
    -- The process that works on it, and until when.
    worker text,
    leased_until bigint NOT NULL DEFAULT 0
);
CREATE INDEX operation_running ON operation (started_at) WHERE status = 'running';

CREATE TABLE operation_job (
    operation text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    job text NOT NULL,
    outcome text,
    code text,
    PRIMARY KEY (operation, place)
);
CREATE INDEX operation_job_left ON operation_job (operation, place) WHERE outcome IS NULL;
