-- Archives of the data of users.

-- name: export_part_store
-- Stores part $4 of the archive that job $2 makes in epoch $3, while that epoch holds the job. Returns its number. The
-- lock lets no erasure delete the job, and look for parts, before this one is there.
INSERT INTO user_export_part (job, epoch, part, user_id, written_at, length, body)
SELECT j.id, j.epoch, $4::bigint, j.user_id, coalesce($1, store_now()), $5::bigint, $6::bytea
FROM (
    SELECT h.id, h.epoch, h.user_id
    FROM ONLY job AS h
    WHERE h.id = $2::uuid AND h.epoch = $3::bigint AND h.status = 'processing'
    FOR KEY SHARE
) AS j
ON CONFLICT (job, epoch, part) DO UPDATE
SET written_at = excluded.written_at, length = excluded.length, body = excluded.body
RETURNING part

-- name: export_parts_discard
DELETE FROM user_export_part
WHERE job = $1::uuid
    AND EXISTS (SELECT FROM ONLY job AS h WHERE h.id = $1 AND h.epoch = $2::bigint AND h.status = 'processing')

-- name: export_newest
SELECT job, user_id, epoch, made_at, lines, bytes, parts
FROM user_export
WHERE user_id = $1::bigint
ORDER BY made_at DESC
LIMIT 1

-- name: export_part
SELECT length, body FROM user_export_part WHERE job = $1::uuid AND epoch = $2::bigint AND part = $3::bigint

-- name: exports_delete
-- Deletes archives from before $1, and at most $2 parts from before it that belong to none that stays.
WITH gone AS (
    DELETE FROM user_export AS e
    WHERE e.job = ANY (
        ARRAY(SELECT n.job FROM user_export AS n WHERE n.made_at < $1::bigint ORDER BY n.made_at LIMIT $2::bigint))
    RETURNING e.job
)
DELETE FROM user_export_part
WHERE number = ANY (
    ARRAY(
        SELECT p.number
        FROM user_export_part AS p
        WHERE p.written_at < $1
            AND NOT EXISTS (
                SELECT
                FROM user_export AS e
                WHERE e.job = p.job AND e.epoch = p.epoch AND e.job NOT IN (SELECT g.job FROM gone AS g)
            )
        ORDER BY p.written_at
        LIMIT $2
    ))
RETURNING part
