-- Texts kept under keys: cached documents, and bundles by their hashes.

-- name: document_get
SELECT key, body, stored_at, kept_until FROM document WHERE key IN (SELECT value FROM json_each(?1))

-- name: document_store
INSERT INTO document AS d (key, body, stored_at, kept_until)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, stored_at = excluded.stored_at, kept_until = excluded.kept_until
WHERE d.stored_at <= excluded.stored_at

-- name: document_delete
DELETE FROM document
WHERE key IN (SELECT key FROM document WHERE kept_until < ?1 ORDER BY kept_until LIMIT ?2);
SELECT changes()

-- name: bundle_get
SELECT archive FROM bundle WHERE hash = ?1

-- name: bundle_insert
INSERT INTO bundle (hash, archive, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (hash) DO NOTHING
