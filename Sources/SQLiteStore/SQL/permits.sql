-- Permits of kinds with limits, and the jobs that wait for one.

-- name: kind_limit_get
SELECT fleet, per_user, taken FROM kind_limit WHERE kind = ?1

-- name: kind_limit_insert
INSERT INTO kind_limit (kind, fleet, per_user) VALUES (?1, ?2, ?3) ON CONFLICT (kind) DO NOTHING

-- name: kind_limit_change
-- Changes the limits of a kind and counts its permits, which are not counted without a limit for the fleet.
UPDATE kind_limit
SET fleet = ?2, per_user = ?3,
    taken = (SELECT coalesce(sum(taken), 0) FROM user_concurrency WHERE kind = ?1)
WHERE kind = ?1

-- name: kind_limit_add_taken
UPDATE kind_limit SET taken = taken + ?2 WHERE kind = ?1 AND fleet IS NOT NULL

-- name: kind_limit_next_position
UPDATE kind_limit SET last_position = last_position + 1 WHERE kind = ?1 RETURNING last_position

-- name: user_concurrency_get
SELECT taken, waiting, position FROM user_concurrency WHERE kind = ?1 AND user = ?2

-- name: user_concurrency_add
INSERT INTO user_concurrency (kind, user, taken, waiting)
VALUES (?1, ?2, max(?3, 0), max(?4, 0))
ON CONFLICT (kind, user) DO UPDATE SET taken = taken + ?3, waiting = waiting + ?4

-- name: user_concurrency_delete
DELETE FROM user_concurrency WHERE kind = ?1 AND user = ?2

-- name: user_concurrency_first
-- The user whose turn it is to take a permit of the fleet.
SELECT user FROM user_concurrency WHERE kind = ?1 AND position IS NOT NULL ORDER BY position LIMIT 1

-- name: user_concurrency_set_position
UPDATE user_concurrency SET position = ?3 WHERE kind = ?1 AND user = ?2

-- name: user_concurrency_clear_positions
UPDATE user_concurrency SET position = NULL WHERE kind = ?1 AND position IS NOT NULL

-- name: user_concurrency_waiting
-- Users with waiting jobs, the longest waiting first.
SELECT s.user
FROM user_concurrency AS s
WHERE s.kind = ?1 AND s.waiting > 0
ORDER BY (SELECT min(w.job) FROM waiting AS w WHERE w.kind = s.kind AND w.user = s.user)

-- name: waiting_insert
INSERT INTO waiting (kind, user, priority, job) VALUES (?1, ?2, ?3, ?4)

-- name: waiting_delete
DELETE FROM waiting WHERE kind = ?1 AND user = ?2 AND priority = ?3 AND job = ?4

-- name: waiting_best
SELECT w.job, w.priority, j.queue
FROM waiting AS w
CROSS JOIN job AS j ON j.number = w.job
WHERE w.kind = ?1 AND w.user = ?2
ORDER BY w.priority DESC, w.job
LIMIT 1

-- name: job_wait_for_permit
UPDATE job SET waiting = 1 WHERE number = ?1

-- name: job_promote
UPDATE job SET waiting = 0, revision = revision + 1 WHERE number = ?1
