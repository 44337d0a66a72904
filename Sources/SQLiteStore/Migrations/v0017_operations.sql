-- Operations on many jobs.
CREATE TABLE operation (
    id TEXT PRIMARY KEY NOT NULL,
    action TEXT NOT NULL,
    filter TEXT NOT NULL,
    user INTEGER,
    note TEXT,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    request_id TEXT,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'collecting',
    matched INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    -- The process that works on it, and until when.
    worker TEXT,
    leased_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX operation_running ON operation (started_at) WHERE status = 'running';

CREATE TABLE operation_job (
    operation TEXT NOT NULL,
    place INTEGER NOT NULL,
    job TEXT NOT NULL,
    outcome TEXT,
    code TEXT,
    PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_job_left ON operation_job (operation, place) WHERE outcome IS NULL;
