-- Nothing is left to do for a pause that has ended. It is kept for a while, so that a late repetition of the request that
-- began it begins no other one.
ALTER TABLE pause ADD COLUMN is_over boolean NOT NULL DEFAULT false;

-- The number of the last parked job that the end has looked at.
ALTER TABLE pause ADD COLUMN resumed bigint NOT NULL DEFAULT 0;

-- Jobs that wait for their time while a pause holds them.
CREATE INDEX scheduled_standing ON scheduled (job) WHERE deadline >= 4503599627370496 AND run_at < 4503599627370496;
