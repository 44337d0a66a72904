-- Migrations, and the data that processes share by the database: the commit counter and the clock.

-- name: migration_create_table
-- The applied migrations, each with the digest of its text.
CREATE TABLE IF NOT EXISTS migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT

-- name: migration_list
SELECT version, digest, name, applied_at FROM migration ORDER BY version

-- name: migration_insert
INSERT INTO migration (version, name, digest, applied_at) VALUES (?1, ?2, ?3, ?4)

-- name: commit_counter_bump
UPDATE commit_counter SET ready = ready + ?1, visible = visible + ?2 RETURNING ready, visible

-- name: commit_counter_read
SELECT ready, visible FROM commit_counter

-- name: clock_get
SELECT boot, "offset", set_at FROM clock

-- name: clock_set
INSERT INTO clock (one, boot, "offset", set_at) VALUES (1, ?1, ?2, ?3)
ON CONFLICT (one) DO UPDATE SET boot = excluded.boot, "offset" = excluded."offset", set_at = excluded.set_at

-- name: data_version
-- A number that changes whenever another connection has committed.
PRAGMA data_version

-- name: passage_index_merge
-- Merges parts of the text index, and writes about ?1 pages; a negative number begins a merge of all parts.
INSERT INTO passage_index (passage_index, rank) VALUES ('merge', ?1)
