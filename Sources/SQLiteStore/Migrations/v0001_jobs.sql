-- Jobs, and the tables in which unfinished jobs wait or run.
--
-- Times are milliseconds since 1970. The id of a job is the 16 bytes of its UUID; inside the database a job goes by its
-- number, which is also the order of submission.

-- The row of a job that its owner's polls read and its workers' writes check. Input and result are in tables of their
-- own, so that a poll reads, and a progress report rewrites, a few hundred bytes independent of their size.
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
    -- How long the job may take, in milliseconds; a retry by a person gets the same time again.
    time_limit INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
    -- A pending job is in one of five places, by the first that applies: it subscribes to a shared job
    -- (`subscribed_to`), it is blocked by another job of its concurrency key (`blocked`), it is in `scheduled`
    -- (`run_at`), it is in `waiting` for a permit of its kind (`waiting`), or it is in `ready`.
    blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
    run_at INTEGER,
    -- True when the job needs a permit of its kind, which it holds while it is in `ready` or runs.
    limited INTEGER NOT NULL DEFAULT 0 CHECK (limited IN (0, 1)),
    waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting IN (0, 1)),
    -- The number of the shared job to which this one subscribes, while it is pending.
    subscribed_to INTEGER,
    -- The shared job's revision at that time. A subscriber's revision grows with that of its shared job.
    shared_job_revision INTEGER,
    -- A retry finds shared work again by the owner of shared jobs, the key of the work, and the last shared job.
    shared_owner INTEGER,
    shared_key TEXT,
    shared_job BLOB,
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    -- Grows at each claim and at no other time.
    epoch INTEGER NOT NULL DEFAULT 0,
    -- The epoch whose worker reported a failure, so that the report can be repeated.
    failed_epoch INTEGER,
    -- True when the last run was released, so that the next one continues its attempt.
    interrupted INTEGER NOT NULL DEFAULT 0 CHECK (interrupted IN (0, 1)),
    -- Workers that died in a row while they ran this job, without a new step in between.
    deaths INTEGER NOT NULL DEFAULT 0,
    -- The count of the fleet's deaths when `deaths` last became 1.
    first_death INTEGER,
    -- The number of the worker that runs the job.
    worker INTEGER,
    progress INTEGER NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
    current_step TEXT,
    error_code TEXT,
    error_message TEXT,
    error_user_message TEXT,
    -- A failed job keeps its whole journal; a retry by a person drops the steps from this sequence on.
    drop_steps_from INTEGER,
    -- The ledger entry that holds this job's credits, or held them last.
    hold INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    started_at INTEGER,
    completed_at INTEGER,
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL)),
    CHECK ((status = 'processing') = (worker IS NOT NULL)),
    CHECK (status = 'pending' OR (blocked = 0 AND run_at IS NULL)),
    CHECK (waiting = 0 OR (limited = 1 AND status = 'pending' AND blocked = 0 AND run_at IS NULL)),
    CHECK (
        subscribed_to IS NULL
        OR (status = 'pending' AND blocked = 0 AND waiting = 0 AND limited = 0 AND run_at IS NULL)
    ),
    CHECK ((shared_job_revision IS NULL) = (subscribed_to IS NULL)),
    CHECK (status <> 'failed' OR error_code IS NOT NULL),
    CHECK (status <> 'completed' OR (progress = 100 AND error_code IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL)),
    CHECK ((cost = 0) = (hold IS NULL))
) STRICT;

CREATE INDEX job_of_user ON job (user, id);
CREATE UNIQUE INDEX job_idempotency ON job (user, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX job_unique_key ON job (user, unique_key) WHERE unique_key IS NOT NULL AND completed_at IS NULL;
CREATE INDEX job_concurrency_key ON job (user, concurrency_key, number)
WHERE concurrency_key IS NOT NULL AND completed_at IS NULL;
CREATE INDEX job_subscriber ON job (subscribed_to) WHERE subscribed_to IS NOT NULL;
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

-- Jobs that can be claimed, in the order of their positions. A position belongs to a user and goes to the best of the
-- user's ready jobs.
CREATE TABLE ready (
    queue TEXT NOT NULL,
    position INTEGER NOT NULL,
    job INTEGER NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    PRIMARY KEY (queue, position, job)
) STRICT, WITHOUT ROWID;

CREATE INDEX ready_of_user ON ready (queue, user, priority DESC, job);

-- The position that each queue has reached. It keeps its value while the queue is empty, so that no user starts at a
-- disadvantage.
CREATE TABLE queue (
    name TEXT PRIMARY KEY,
    virtual_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO queue (name, virtual_time) VALUES ('interactive', 0), ('background', 0);

-- The position of each user's last job in a queue.
CREATE TABLE user_position (
    queue TEXT NOT NULL,
    user INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (queue, user)
) STRICT, WITHOUT ROWID;

-- Pending jobs that wait for their time.
CREATE TABLE scheduled (
    run_at INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (run_at, job)
) STRICT, WITHOUT ROWID;

-- Running jobs and their workers.
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

-- A job as its owner sees it. `held_up_by` is the job before it with the same concurrency key. A subscriber shows the
-- progress of its shared job. `Job` reads the columns in this order.
CREATE VIEW job_record AS
SELECT
    j.id, j.user, j.kind, i.input, j.bundle, coalesce(s.status, j.status) AS status, j.queue, j.priority,
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
    s.number IS NOT NULL AS is_subscriber,
    j.number
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number
LEFT JOIN job AS s ON s.number = j.subscribed_to;
