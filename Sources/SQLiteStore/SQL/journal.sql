-- The journal of a job.

-- name: step_list
SELECT name, occurrence, input_hash, coalesce(packed, output), sequence, epoch, started_at, ended_at
FROM step
WHERE job = ?1
ORDER BY sequence

-- name: step_count
SELECT count(*) FROM step WHERE job = ?1

-- name: step_insert
INSERT INTO step (job, name, occurrence, input_hash, output, packed, epoch, started_at, ended_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (job, name, occurrence) DO NOTHING

-- name: step_same_place
SELECT sequence, input_hash FROM step WHERE job = ?1 AND name = ?2 AND occurrence = ?3

-- name: step_drop_from
DELETE FROM step WHERE job = ?1 AND sequence >= ?2
