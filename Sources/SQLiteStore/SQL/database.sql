-- name: migration_list
SELECT version, digest, name, applied_at FROM migration ORDER BY version

-- name: migration_insert
INSERT INTO migration (version, name, digest, applied_at) VALUES (?1, ?2, ?3, ?4)

-- name: commit_counter_bump
UPDATE pulse SET ready = ready + ?1, visible = visible + ?2 RETURNING ready, visible

-- name: commit_counter_read
SELECT ready, visible FROM pulse

-- name: clock_get
SELECT boot, "offset", set_at FROM clock

-- name: clock_set
INSERT INTO clock (one, boot, "offset", set_at) VALUES (1, ?1, ?2, ?3)
ON CONFLICT (one) DO UPDATE SET boot = excluded.boot, "offset" = excluded."offset", set_at = excluded.set_at

-- name: data_version
-- Changes whenever another connection has committed.
PRAGMA data_version
