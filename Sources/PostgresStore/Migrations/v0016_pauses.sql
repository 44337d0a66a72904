-- The pauses of kinds and lanes. `pause_jobs.sql` says what they do to jobs.
CREATE TABLE pause (
    id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C",
    lane queue,
    note text,
    by_name text NOT NULL,
    since bigint NOT NULL,
    until bigint,
    -- The number of the last job that was looked at; NULL when the jobs from before the pause are parked.
    seen bigint DEFAULT 0,
    -- It has ended, and some of its jobs are still parked.
    is_ending boolean NOT NULL DEFAULT false,
    CHECK ((kind IS NULL) <> (lane IS NULL))
);
