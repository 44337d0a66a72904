-- Archives of the data of users.

-- name: export_part_store
-- Stores part ?4 of the archive that job ?2 makes in epoch ?3, while that epoch holds the job. Returns its number.
INSERT INTO user_export_part (job, epoch, part, user, written_at, length, body)
SELECT id, epoch, ?4, user, ?1, ?5, ?6
FROM job
WHERE id = ?2 AND epoch = ?3 AND status = 'processing'
ON CONFLICT (job, epoch, part) DO UPDATE
SET written_at = excluded.written_at, length = excluded.length, body = excluded.body
RETURNING part

-- name: export_parts_discard
DELETE FROM user_export_part
WHERE job = ?1 AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND epoch = ?2 AND status = 'processing')

-- name: export_newest
SELECT job, user, epoch, made_at, lines, bytes, parts FROM user_export WHERE user = ?1 ORDER BY made_at DESC LIMIT 1

-- name: export_part
SELECT length, body FROM user_export_part WHERE job = ?1 AND epoch = ?2 AND part = ?3

-- name: exports_delete
-- Deletes archives from before ?1, and at most ?2 parts from before it that belong to none.
DELETE FROM user_export WHERE job IN (SELECT job FROM user_export WHERE made_at < ?1 ORDER BY made_at LIMIT ?2);
DELETE FROM user_export_part
WHERE number IN (
    SELECT p.number
    FROM user_export_part AS p
    WHERE p.written_at < ?1
        AND NOT EXISTS (SELECT 1 FROM user_export AS e WHERE e.job = p.job AND e.epoch = p.epoch)
    ORDER BY p.written_at
    LIMIT ?2
)
RETURNING part

-- name: record_user_export
-- Stores the archive of job ?1, with the parts of epoch ?3.
INSERT INTO user_export (job, user, epoch, made_at, lines, bytes, parts)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (job) DO UPDATE
SET epoch = excluded.epoch, made_at = excluded.made_at, lines = excluded.lines, bytes = excluded.bytes,
    parts = excluded.parts;
DELETE FROM user_export_part WHERE job = ?1 AND epoch <> ?3
