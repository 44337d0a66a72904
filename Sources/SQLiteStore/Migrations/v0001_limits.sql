-- Limits of kinds, shared budgets and rates, schedules, bundles, workers, and data that processes share by the
-- database.

-- The limits of each kind. While the fleet has a limit, `taken` counts the kind's permits and `last_position` is the
-- last position given in the rotation of its users; otherwise the row is only read.
CREATE TABLE kind_limit (
    kind TEXT PRIMARY KEY,
    fleet INTEGER CHECK (fleet >= 1),
    per_user INTEGER CHECK (per_user >= 1),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    last_position INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Permits and waiting jobs of a user and a kind; no row when there are neither. `position` orders the users that could
-- use a permit of the fleet.
CREATE TABLE user_concurrency (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    taken INTEGER NOT NULL CHECK (taken >= 0),
    waiting INTEGER NOT NULL CHECK (waiting >= 0),
    position INTEGER,
    PRIMARY KEY (kind, user)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX user_concurrency_position ON user_concurrency (kind, position) WHERE position IS NOT NULL;

-- Jobs that wait for a permit of their kind.
CREATE TABLE waiting (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (kind, user, priority DESC, job)
) STRICT, WITHOUT ROWID;

-- The fleet's grants from each budget, as `SharedBudget` encodes them.
CREATE TABLE budget (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Requests of users that each broker has counted in a minute.
CREATE TABLE rate_count (
    minute INTEGER NOT NULL,
    user INTEGER NOT NULL,
    bucket TEXT NOT NULL,
    broker TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (minute, user, bucket, broker)
) STRICT, WITHOUT ROWID;

-- The last run of each schedule that was enqueued.
CREATE TABLE schedule_run (
    schedule TEXT PRIMARY KEY,
    scheduled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bundle (
    hash TEXT NOT NULL UNIQUE,
    archive TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The bundle whose kinds and schedules are in force.
CREATE TABLE current_bundle (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL,
    adopted_at INTEGER NOT NULL
) STRICT;

-- One row for each worker process that is alive, or whose death was not noticed yet.
CREATE TABLE worker (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    process_id INTEGER NOT NULL,
    concurrency INTEGER NOT NULL,
    beats INTEGER NOT NULL,
    started_at INTEGER NOT NULL
) STRICT;

-- The number of workers that were declared dead, in one row.
CREATE TABLE fleet_deaths (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    count INTEGER NOT NULL
) STRICT;

INSERT INTO fleet_deaths (one, count) VALUES (1, 0);

-- Counts the commits that other processes must notice, in one row.
CREATE TABLE commit_counter (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ready INTEGER NOT NULL,
    visible INTEGER NOT NULL
) STRICT;

INSERT INTO commit_counter (one, ready, visible) VALUES (1, 0, 0);

-- The offset from the time since the machine's start to the shared time of all processes. See `ClockAnchor`.
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    boot TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    set_at INTEGER NOT NULL
) STRICT;
