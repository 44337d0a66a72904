-- The pauses of kinds and lanes. `Jobs/Pauses.swift` says what they do to jobs.
CREATE TABLE pause (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT,
    lane TEXT,
    note TEXT,
    by_name TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    -- The number of the last job that was looked at; NULL when the jobs from before the pause are parked.
    seen INTEGER DEFAULT 0,
    -- It has ended, and some of its jobs are still parked.
    is_ending INTEGER NOT NULL DEFAULT 0,
    CHECK ((kind IS NULL) <> (lane IS NULL))
) STRICT;
