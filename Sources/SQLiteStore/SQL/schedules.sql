-- The current bundle and the last run of each schedule.

-- name: current_bundle_get
SELECT hash FROM current_bundle

-- name: current_bundle_set
INSERT INTO current_bundle (one, hash, adopted_at)
VALUES (1, ?1, ?2)
ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, adopted_at = excluded.adopted_at

-- name: schedule_run_get
SELECT scheduled_at FROM schedule_run WHERE schedule = ?1

-- name: schedule_run_set
INSERT INTO schedule_run (schedule, scheduled_at)
VALUES (?1, ?2)
ON CONFLICT (schedule) DO UPDATE SET scheduled_at = excluded.scheduled_at
