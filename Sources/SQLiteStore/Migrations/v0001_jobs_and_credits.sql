-- Moments are whole milliseconds since 1970. Job ids are the 16 bytes of their UUID; inside, a job goes by its number,
-- which is also the order of submission.

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE bundle (
    hash TEXT NOT NULL UNIQUE,
    archive TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- One row for each worker process that lives or has died unnoticed.
CREATE TABLE worker (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    process_id INTEGER NOT NULL,
    concurrency INTEGER NOT NULL,
    beats INTEGER NOT NULL,
    started_at INTEGER NOT NULL
) STRICT;

-- The hot row of a job: what its owner sees and what fences its workers. Input and result are kept apart, so that a
-- poll reads, and a progress report rewrites, a few hundred bytes however large they are.
CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    user INTEGER NOT NULL,
    kind TEXT NOT NULL,
    bundle TEXT NOT NULL,
    queue TEXT NOT NULL CHECK (queue IN ('interactive', 'background')),
    priority INTEGER NOT NULL,
    cost INTEGER NOT NULL CHECK (cost >= 0),
    max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
    concurrency_key TEXT,
    unique_key TEXT,
    idempotency_key TEXT,
    idempotency_fingerprint TEXT,
    request_id TEXT,
    created_at INTEGER NOT NULL,
    -- How long the job may take; a retry by a person gets as long again.
    time_limit INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
    -- A pending job is in one place: blocked (behind another of its serial key, in no table), else in `schedule` when
    -- it has a run_at, else in `ready`.
    blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
    run_at INTEGER,
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    -- Grows at each claim and never otherwise.
    epoch INTEGER NOT NULL DEFAULT 0,
    -- The epoch whose worker reported a failure, so that the report can be repeated.
    failed_epoch INTEGER,
    -- Whether the last run was given back, so that the next one continues its attempt.
    interrupted INTEGER NOT NULL DEFAULT 0 CHECK (interrupted IN (0, 1)),
    -- Workers that died in a row while they ran this job, without a new step in between.
    deaths INTEGER NOT NULL DEFAULT 0,
    worker INTEGER,
    progress INTEGER NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
    current_step TEXT,
    error_code TEXT,
    error_message TEXT,
    error_user_message TEXT,
    -- The ledger entry that holds this job's credits, or held them last.
    hold INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    started_at INTEGER,
    completed_at INTEGER,
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL)),
    CHECK ((status = 'processing') = (worker IS NOT NULL)),
    CHECK (status = 'pending' OR (blocked = 0 AND run_at IS NULL)),
    CHECK (status <> 'failed' OR error_code IS NOT NULL),
    CHECK (status <> 'completed' OR (progress = 100 AND error_code IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL)),
    CHECK ((cost = 0) = (hold IS NULL))
) STRICT;

CREATE INDEX job_of_user ON job (user, id);
CREATE UNIQUE INDEX job_idempotency ON job (user, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX job_join ON job (user, unique_key) WHERE unique_key IS NOT NULL AND completed_at IS NULL;
CREATE INDEX job_serial ON job (user, concurrency_key, number) WHERE concurrency_key IS NOT NULL AND completed_at IS NULL;
CREATE INDEX job_deadline ON job (deadline) WHERE completed_at IS NULL;
CREATE INDEX job_finished ON job (completed_at) WHERE completed_at IS NOT NULL;

CREATE TABLE job_input (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    input TEXT NOT NULL
) STRICT;

CREATE TABLE job_result (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    result TEXT NOT NULL
) STRICT;

CREATE TRIGGER job_completed_has_result BEFORE UPDATE OF status ON job
WHEN NEW.status = 'completed' AND NOT EXISTS (SELECT 1 FROM job_result WHERE job = NEW.number)
BEGIN
    SELECT RAISE(ABORT, 'a completed job has a result');
END;

-- What can be claimed now. The slots of a lane are taken in the order of their rank; a slot belongs to a user, who
-- fills it with the best of their ready jobs.
CREATE TABLE ready (
    queue TEXT NOT NULL,
    rank INTEGER NOT NULL,
    job INTEGER NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    PRIMARY KEY (queue, rank, job)
) STRICT, WITHOUT ROWID;

CREATE INDEX ready_of_user ON ready (queue, user, priority DESC, job);

-- How far each lane has come in the order of ranks. It survives an empty queue, so that nobody starts behind.
CREATE TABLE queue (
    name TEXT PRIMARY KEY,
    virtual_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO queue (name, virtual_time) VALUES ('interactive', 0), ('background', 0);

-- The rank of each user's last slot in a lane.
CREATE TABLE turn (
    queue TEXT NOT NULL,
    user INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    PRIMARY KEY (queue, user)
) STRICT, WITHOUT ROWID;

-- Pending jobs that wait for their time.
CREATE TABLE schedule (
    run_at INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (run_at, job)
) STRICT, WITHOUT ROWID;

-- Which worker runs which job.
CREATE TABLE lease (
    worker INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (worker, job)
) STRICT, WITHOUT ROWID;

-- The journal. The sequence grows within a job.
CREATE TABLE step (
    sequence INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES job (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    occurrence INTEGER NOT NULL,
    input_hash TEXT NOT NULL,
    output TEXT NOT NULL,
    UNIQUE (job, name, occurrence)
) STRICT;

-- Every movement of credits. `settle` and `release` close a hold, which can happen once.
CREATE TABLE ledger (
    entry INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'release')),
    amount INTEGER NOT NULL,
    job BLOB,
    -- The entry that this one closes.
    hold INTEGER,
    note TEXT,
    created_at INTEGER NOT NULL,
    CHECK ((kind IN ('settle', 'release')) = (hold IS NOT NULL)),
    CHECK (kind = 'grant' OR (job IS NOT NULL AND amount > 0))
) STRICT;

CREATE UNIQUE INDEX ledger_closed_hold ON ledger (hold) WHERE hold IS NOT NULL;

CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- What the ledger adds up to.
CREATE TABLE balance (
    user INTEGER PRIMARY KEY,
    granted INTEGER NOT NULL,
    held INTEGER NOT NULL CHECK (held >= 0),
    used INTEGER NOT NULL CHECK (used >= 0),
    remaining INTEGER GENERATED ALWAYS AS (granted - held - used) VIRTUAL,
    CHECK (remaining >= 0)
) STRICT;

-- Model calls that were paid for; they outlive their jobs.
CREATE TABLE model_call (
    id TEXT NOT NULL UNIQUE,
    job BLOB NOT NULL,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_micro_dollars INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX model_call_of_user ON model_call (user, created_at, cost_micro_dollars);

-- Counts the commits that other processes want to hear of.
CREATE TABLE pulse (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ready INTEGER NOT NULL,
    visible INTEGER NOT NULL
) STRICT;

INSERT INTO pulse (one, ready, visible) VALUES (1, 0, 0);

-- A job as its owner sees it; `held_up_by` is the job before it in the queue of its serial key. The order of the
-- columns is the one in which `Job` is read.
CREATE VIEW job_record AS
SELECT
    j.id, j.user, j.kind, i.input, j.bundle, j.status, j.queue, j.priority, j.progress, j.current_step, j.attempt,
    j.max_attempts, j.cost, j.error_code, j.error_message, j.error_user_message, j.revision, j.created_at,
    j.started_at, j.completed_at, j.deadline, j.run_at,
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
    j.number
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number;
