-- name: user_position_advance
-- A user's next slot: after their last one, and not before what the lane has come to.
INSERT INTO turn (queue, user, rank)
VALUES (?1, ?2, (SELECT virtual_time FROM queue WHERE name = ?1))
ON CONFLICT (queue, user) DO UPDATE SET rank = max(rank + 1, excluded.rank)

-- name: user_position_return
-- A slot that nobody will use: the user's next job stands one place further ahead.
UPDATE turn SET rank = rank - 1 WHERE queue = ?1 AND user = ?2

-- name: ready_insert
-- Into the slot that the user has just taken.
INSERT INTO ready (queue, rank, job, user, priority)
SELECT queue, rank, ?3, user, ?4 FROM turn WHERE queue = ?1 AND user = ?2

-- name: ready_insert_at_front
-- Back to where the lane has come to.
INSERT INTO ready (queue, rank, job, user, priority)
SELECT name, virtual_time, ?3, ?2, ?4 FROM queue WHERE name = ?1

-- name: ready_withdraw
DELETE FROM ready WHERE queue = ?1 AND user = ?2 AND priority = ?3 AND job = ?4

-- name: scheduled_insert
INSERT INTO schedule (run_at, job) VALUES (?1, ?2)
