-- The order of claims and what is known of workers.

-- The time of the claim; 0 for claims of version 1.
ALTER TABLE lease ADD COLUMN claimed_at bigint NOT NULL DEFAULT 0;

-- The machine (boot and space of process numbers) and the start of the process, by which processes of the same machine
-- see that it has ended.
ALTER TABLE worker ADD COLUMN machine text NOT NULL DEFAULT '';
ALTER TABLE worker ADD COLUMN process_start bigint NOT NULL DEFAULT 0;
-- The kinds of jobs that the worker can run, those that it cannot, and its providers of models, as JSON.
ALTER TABLE worker ADD COLUMN abilities text NOT NULL DEFAULT '{}';
-- True when the worker cannot run every kind of job: it leaves jobs behind the positions that the queues have reached.
ALTER TABLE worker ADD COLUMN is_partial boolean NOT NULL DEFAULT false;
-- At the last heartbeat: the fleet's time, the number of running jobs, the database session, the database's time.
ALTER TABLE worker ADD COLUMN heard_at bigint NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN running bigint NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN session integer;
ALTER TABLE worker ADD COLUMN beat_at bigint NOT NULL DEFAULT 0;

-- The fleet's time, in one row; see `FleetClock`. Durations are in milliseconds; `observed_at` is a time.
CREATE TABLE fleet_clock (
    one integer PRIMARY KEY CHECK (one = 1),
    observed_at bigint NOT NULL,
    elapsed bigint NOT NULL,
    resumed_at bigint NOT NULL,
    turn_at bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO fleet_clock (one, observed_at, elapsed, resumed_at, turn_at) VALUES (1, 0, 0, 0, 0);

-- A user's last position, whose job moves up when another one of the user ends before it ran.
-- The expressions keep other queries of a user's jobs from this index, and its own query from the primary key: without
-- statistics the planner takes them for equally good, and many jobs of others can have the same position.
CREATE INDEX ready_position_of_user ON ready ((user_id + 0), queue, (position + 0));

-- The reason for which the job was postponed last, a `WaitReason`, until the next claim.
ALTER TABLE job ADD COLUMN waits_for text;

-- The time within which the result is asked for, in milliseconds, for a job whose model calls go by batch.
ALTER TABLE job ADD COLUMN within bigint;
