-- Limits of kinds, shared budgets and rates, schedules, bundles, workers and commit notices.

-- The limits of each kind. While the fleet has a limit, `taken` counts the kind's permits and `last_position` is the
-- last position given in the rotation of its users; otherwise the row is only read.
CREATE TABLE kind_limit (
    kind text PRIMARY KEY,
    fleet bigint CHECK (fleet >= 1),
    per_user bigint CHECK (per_user >= 1),
    taken bigint NOT NULL DEFAULT 0 CHECK (taken >= 0),
    last_position bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Permits and waiting jobs of a user and a kind; no row when there are neither. `position` orders the users that could
-- use a permit of the fleet.
CREATE TABLE user_concurrency (
    user_id bigint NOT NULL,
    taken bigint NOT NULL CHECK (taken >= 0),
    waiting bigint NOT NULL CHECK (waiting >= 0),
    position bigint,
    kind text NOT NULL,
    PRIMARY KEY (kind, user_id)
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX user_concurrency_position ON user_concurrency (kind, position) WHERE position IS NOT NULL;

-- Jobs that wait for a permit of their kind.
CREATE TABLE waiting (
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    kind text NOT NULL
);

CREATE UNIQUE INDEX waiting_of_user ON waiting (kind, user_id, priority DESC, job);
CREATE INDEX waiting_deadline ON waiting (deadline);

-- The loans of the fleet from its providers' budgets, as `SharedBudget` encodes it. The version grows with every
-- change.
CREATE TABLE budget (
    name text PRIMARY KEY,
    version bigint NOT NULL,
    state text NOT NULL
) WITH (fillfactor = 50);

-- Requests of users that each broker has counted in a minute. Unlogged: the counts need not outlive a crash.
CREATE UNLOGGED TABLE rate_count (
    minute bigint NOT NULL,
    user_id bigint NOT NULL,
    count bigint NOT NULL,
    bucket text NOT NULL,
    broker text NOT NULL,
    PRIMARY KEY (minute, user_id, bucket, broker)
);

-- The last run of each schedule that was enqueued.
CREATE TABLE schedule_run (
    schedule text PRIMARY KEY,
    scheduled_at bigint NOT NULL
);

CREATE TABLE bundle (
    hash text PRIMARY KEY,
    archive text NOT NULL,
    created_at bigint NOT NULL
);

-- The bundle whose kinds and schedules are in force.
CREATE TABLE current_bundle (
    one bigint PRIMARY KEY CHECK (one = 1),
    hash text NOT NULL,
    adopted_at bigint NOT NULL
);

-- One row for each worker process that is alive, or whose death was not noticed yet.
CREATE TABLE worker (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    host text NOT NULL,
    process_id bigint NOT NULL,
    concurrency bigint NOT NULL,
    beats bigint NOT NULL,
    started_at bigint NOT NULL
) WITH (fillfactor = 50);

-- How many workers were declared dead, in one row.
CREATE TABLE fleet_deaths (
    one integer PRIMARY KEY CHECK (one = 1),
    count bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO fleet_deaths (one, count) VALUES (1, 0);

-- Count the notices of commits, for processes that cannot listen.
CREATE SEQUENCE notice_ready;
CREATE SEQUENCE notice_visible;
