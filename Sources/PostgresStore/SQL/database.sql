-- Clock, migrations and notices of commits.

-- name: store_now
SELECT store_now()

-- name: migration_list
SELECT version, name, applied_at, digest FROM migration ORDER BY version

-- name: notify
-- Publishes notices of commits: to listening processes by the payload, to polling ones by the counts.
SELECT
    pg_notify('dossier', $1::text),
    CASE WHEN $1 LIKE '%ready%' THEN nextval('notice_ready') END,
    CASE WHEN $1 LIKE '%visible%' THEN nextval('notice_visible') END

-- name: notice_counts
SELECT r.last_value, v.last_value FROM notice_ready AS r CROSS JOIN notice_visible AS v

-- name: transaction_settings
-- Limits for the rest of a transaction, in milliseconds: $1 for a statement, $2 for a lock.
SELECT set_config('statement_timeout', $1::text, TRUE), set_config('lock_timeout', $2::text, TRUE)
