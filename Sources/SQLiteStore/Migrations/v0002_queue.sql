-- The order of claims and what is known of workers.

-- The time of the claim; 0 for claims of version 1.
ALTER TABLE lease ADD COLUMN claimed_at INTEGER NOT NULL DEFAULT 0;

-- The machine (boot and space of process numbers) and the start of the process, by which other processes see that it
-- has ended.
ALTER TABLE worker ADD COLUMN machine TEXT NOT NULL DEFAULT '';
ALTER TABLE worker ADD COLUMN process_start INTEGER NOT NULL DEFAULT 0;
-- The kinds of jobs that the worker can run, those that it cannot, and its providers of models, as JSON.
ALTER TABLE worker ADD COLUMN abilities TEXT NOT NULL DEFAULT '{}';
-- At the last heartbeat: the fleet's time and the number of running jobs.
ALTER TABLE worker ADD COLUMN heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN running INTEGER NOT NULL DEFAULT 0;

-- The fleet's time, in one row; see `FleetClock`. Durations are in milliseconds; `observed_at` is a time.
CREATE TABLE fleet_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    observed_at INTEGER NOT NULL,
    elapsed INTEGER NOT NULL,
    resumed_at INTEGER NOT NULL,
    turn_at INTEGER NOT NULL
) STRICT;

INSERT INTO fleet_clock (one, observed_at, elapsed, resumed_at, turn_at) VALUES (1, 0, 0, 0, 0);

-- A user's last position, whose job moves up when another one of the user ends before it ran.
CREATE INDEX ready_position_of_user ON ready (queue, user, position);

-- The reason for which the job was postponed last, a `WaitReason`, until the next claim.
ALTER TABLE job ADD COLUMN waits_for TEXT;

-- The time within which the result is asked for, in milliseconds, for a job whose model calls go by batch.
ALTER TABLE job ADD COLUMN within INTEGER;
