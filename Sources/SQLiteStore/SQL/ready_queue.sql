-- Entering and leaving the ready queue and the schedule outside of a claim.

-- name: user_position_advance
-- A user's next position: after their last one, and not before the position that the queue has reached. A job that
-- returns from an earlier run gets one too, since each run is a turn of its user.
INSERT INTO user_position (queue, user, position)
VALUES (?1, ?2, (SELECT virtual_time FROM queue WHERE name = ?1))
ON CONFLICT (queue, user) DO UPDATE SET position = max(position + 1, excluded.position)

-- name: user_position_return
-- Returns the user's last position, which no job has any more, so that the user's next job gets it.
UPDATE user_position SET position = position - 1 WHERE queue = ?1 AND user = ?2

-- name: ready_insert
-- Inserts a job at the position that its user has just advanced to.
INSERT INTO ready (queue, position, job, user, priority)
SELECT queue, position, ?3, user, ?4 FROM user_position WHERE queue = ?1 AND user = ?2

-- name: ready_withdraw
DELETE FROM ready WHERE queue = ?1 AND user = ?2 AND priority = ?3 AND job = ?4
RETURNING position, position >= (SELECT virtual_time FROM queue WHERE name = ?1)

-- name: ready_last_of_user
-- A user's last position after ?3, with its job.
SELECT position, job FROM ready WHERE queue = ?1 AND user = ?2 AND position > ?3 ORDER BY position DESC LIMIT 1

-- name: scheduled_insert
INSERT INTO scheduled (run_at, job) VALUES (?1, ?2)
