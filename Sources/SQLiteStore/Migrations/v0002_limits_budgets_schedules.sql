-- Limits of concurrency. A limited job holds a slot while it is in `ready` or runs; one that finds none is in `waiting`.
ALTER TABLE job ADD COLUMN limited INTEGER NOT NULL DEFAULT 0 CHECK (limited IN (0, 1));

-- Whether it is in `waiting`, the fourth place of a pending job.
ALTER TABLE job ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0
    CHECK (waiting = 0 OR (waiting = 1 AND limited = 1 AND status = 'pending' AND blocked = 0 AND run_at IS NULL));

-- The limits of each kind. `taken` counts its slots, and `turns` orders its users, while there is a limit for the fleet;
-- else the row is only read.
CREATE TABLE kind_limit (
    kind TEXT PRIMARY KEY,
    fleet INTEGER CHECK (fleet >= 1),
    per_user INTEGER CHECK (per_user >= 1),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    turns INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- What a user has of a kind; there is no row without slots and waiting jobs. `turn` is the place in the round of those
-- users who could use a slot of the fleet.
CREATE TABLE user_concurrency (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    taken INTEGER NOT NULL CHECK (taken >= 0),
    waiting INTEGER NOT NULL CHECK (waiting >= 0),
    turn INTEGER,
    PRIMARY KEY (kind, user)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX user_concurrency_turn ON user_concurrency (kind, turn) WHERE turn IS NOT NULL;

-- Jobs that wait for a slot.
CREATE TABLE waiting (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (kind, user, priority DESC, job)
) STRICT, WITHOUT ROWID;

-- What the fleet has borrowed of its providers, as `SharedBudget` encodes it.
CREATE TABLE budget (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The bundle whose kinds and schedules hold now.
CREATE TABLE current_bundle (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL,
    adopted_at INTEGER NOT NULL
) STRICT;

-- The last tick of each schedule that fired.
CREATE TABLE schedule_tick (
    schedule TEXT PRIMARY KEY,
    timestamp INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who owns the jobs of schedules.
INSERT INTO account (id, subject, created_at) VALUES (-1, 'system', 0) ON CONFLICT DO NOTHING;

DROP VIEW job_record;

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
    j.waiting,
    j.number
FROM job AS j
CROSS JOIN job_input AS i ON i.job = j.number;
