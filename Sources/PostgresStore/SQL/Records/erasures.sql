-- Erasure of users: its beginning, its parts, and what is known of it afterwards.

-- name: erasure_key
SELECT key FROM erasure_key

-- name: erasure_start
SELECT e.id, e.number, e.user_id, e.subject, e.requested_at, e.complete_by, e.completed_at, e.digest
FROM start_erasure($1, $2, $3, $4, $5, $6) AS e
WHERE e.id IS NOT NULL

-- name: erasure_by_id
SELECT id, number, user_id, subject, requested_at, complete_by, completed_at, digest FROM erasure WHERE id = $1

-- name: erasure_by_number
SELECT id, number, user_id, subject, requested_at, complete_by, completed_at, digest FROM erasure WHERE number = $1

-- name: erasures_running
SELECT id, number, user_id, subject, requested_at, complete_by, completed_at, digest
FROM erasure
WHERE completed_at IS NULL
ORDER BY requested_at
LIMIT $1

-- name: erasure_unfinished_jobs
SELECT id FROM ONLY job WHERE user_id = $1 AND completed_at IS NULL LIMIT $2

-- name: erasure_rows
SELECT erase_rows($1, $2, $3, $4)

-- name: erasure_account
SELECT erase_account($1, $2)

-- name: erasure_complete
UPDATE erasure SET completed_at = coalesce($1, store_now())
WHERE number = $2 AND user_id IS NULL AND completed_at IS NULL

-- name: erasures_forget
-- Forgets the subjects of erasures that completed before $1.
UPDATE erasure SET digest = NULL WHERE completed_at < $1 AND digest IS NOT NULL
