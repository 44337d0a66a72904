-- Texts kept under keys: cached documents, and bundles by their hashes.

-- name: document_get
SELECT key, body, stored_at, kept_until FROM document WHERE key = ANY ($1::text[])

-- name: document_store
SELECT record_document(
    jsonb_build_object('key', $1::text, 'text', $2::text, 'stored_at', $3::bigint, 'kept_until', $4::bigint),
    NULL, NULL, NULL)

-- name: document_delete
WITH gone AS (
    DELETE FROM document
    WHERE key = ANY (ARRAY(
        SELECT key FROM document WHERE kept_until < $1::bigint ORDER BY kept_until LIMIT $2::bigint
        FOR UPDATE SKIP LOCKED
    ))
    RETURNING key
)
SELECT count(*) FROM gone

-- name: bundle_get
SELECT archive FROM bundle WHERE hash = $1

-- name: bundle_insert
INSERT INTO bundle (hash, archive, created_at) VALUES ($1, $2, coalesce($3, store_now())) ON CONFLICT (hash) DO NOTHING
