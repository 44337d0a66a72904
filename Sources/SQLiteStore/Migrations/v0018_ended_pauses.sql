-- Nothing is left to do for a pause that has ended. It is kept for a while, so that a late repetition of the request that
-- began it begins no other one.
ALTER TABLE pause ADD COLUMN is_over INTEGER NOT NULL DEFAULT 0;

-- The number of the last parked job that the end has looked at.
ALTER TABLE pause ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0;

-- Jobs that are not parked while a pause holds them: blocked ones, subscribers, those that wait for their time.
CREATE INDEX job_standing ON job (number)
WHERE deadline >= 4503599627370496 AND run_at IS NOT 4503599627370496 AND completed_at IS NULL;
