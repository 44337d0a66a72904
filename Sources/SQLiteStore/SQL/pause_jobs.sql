-- What pauses do to jobs. Read with `Jobs/Pauses.swift`; 4503599627370496 is the time that never comes.

-- name: pause_holds
-- Whether the kind ?1 or the lane ?2 is paused; NULL when no deadline stands still.
SELECT max(is_ending = 0 AND (kind IS ?1 OR lane IS ?2)) FROM pause WHERE is_over = 0

-- name: pause_targets
SELECT kind, lane FROM pause WHERE is_ending = 0

-- name: pause_end_due
UPDATE pause SET is_ending = 1 WHERE is_ending = 0 AND until <= ?1

-- name: pause_unsettled
SELECT id, kind, lane, seen, resumed, is_ending
FROM pause
WHERE is_over = 0 AND (is_ending = 1 OR seen IS NOT NULL)
ORDER BY is_ending DESC, id
LIMIT 1

-- name: pause_look
-- The next jobs after number ?1, with whether each is one that the pause of kind ?2 or lane ?3 holds.
SELECT number, status = 'pending' AND deadline < 4503599627370496 AND (kind = ?2 OR queue = ?3)
FROM job
WHERE number > ?1
ORDER BY number
LIMIT ?4

-- name: pause_seen
UPDATE pause SET seen = ?2 WHERE id = ?1

-- name: pause_over
-- The pause ?1 stays for a while, so that a repetition of its request begins no other one.
UPDATE pause SET is_over = 1 WHERE id = ?1

-- name: pause_forget
DELETE FROM pause WHERE is_over = 1 AND since < ?1

-- name: pause_resumed
UPDATE pause SET resumed = ?2 WHERE id = ?1

-- name: pause_parked
-- The next parked jobs after number ?1, with whether each is of kind ?2 or lane ?3 and no pause holds it any more.
SELECT
    j.number, j.queue, j.user, j.priority, j.kind, j.limited,
    (j.kind IS ?2 OR j.queue IS ?3) AND NOT EXISTS (
        SELECT 1 FROM pause AS p WHERE p.is_ending = 0 AND (p.kind = j.kind OR p.lane = j.queue)
    )
FROM scheduled AS s
CROSS JOIN job AS j ON j.number = s.job
WHERE s.run_at = 4503599627370496 AND s.job > ?1
ORDER BY s.job
LIMIT ?4

-- name: pause_standing
-- Jobs of kind ?1 or lane ?2 that are not parked, whose deadlines stand still and that no pause holds any more.
SELECT number
FROM job AS j
WHERE j.completed_at IS NULL AND j.deadline >= 4503599627370496 AND j.run_at IS NOT 4503599627370496
    AND (j.kind = ?1 OR j.queue = ?2) AND NOT EXISTS (
        SELECT 1 FROM pause AS p WHERE p.is_ending = 0 AND (p.kind = j.kind OR p.lane = j.queue)
    )
LIMIT ?3

-- name: job_park
-- Schedules a pending job for a time that never comes; its deadline stands still from ?2 on.
UPDATE job
SET run_at = 4503599627370496, waiting = 0, waits_for = 'paused', revision = revision + 1,
    deadline = CASE
        WHEN deadline >= 4503599627370496 THEN deadline ELSE 4503599627370496 + max(deadline - ?2, 0)
    END
WHERE number = ?1

-- name: job_stand
-- Lets the deadline of a job stand still from ?2 on.
UPDATE job
SET deadline = 4503599627370496 + max(deadline - ?2, 0)
WHERE number = ?1 AND deadline < 4503599627370496

-- name: job_unpark
UPDATE job
SET run_at = NULL, waits_for = NULL, deadline = ?2 + deadline - 4503599627370496, revision = revision + 1
WHERE number = ?1

-- name: job_unstand
UPDATE job
SET deadline = ?2 + deadline - 4503599627370496
WHERE number = ?1 AND deadline >= 4503599627370496
