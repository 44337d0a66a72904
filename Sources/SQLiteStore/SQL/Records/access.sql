-- API keys, and the audit of what operators, keys and the command line write.

-- name: api_key_create
-- Stores key ?2 unless there are ?14 live ones or its creator's request ?12 made one before.
INSERT INTO api_key (
    id, digest, seed, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, expires_at,
    request_key, fingerprint)
SELECT ?2, ?10, ?11, ?3, ?4, ?5, ?1, ?6, ?7, ?8, ?9, ?12, ?13
WHERE (SELECT count(*) FROM api_key WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)) < ?14
ON CONFLICT DO NOTHING;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?15 WHERE changes() = 1;
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at,
    digest, seed, fingerprint
FROM api_key
WHERE id = ?2 OR creator_type = ?6 AND creator_id = ?7 AND request_key = ?12

-- name: api_key_by_digest
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM api_key
WHERE digest = ?1

-- name: api_keys_live
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at,
    digest
FROM api_key
WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > coalesce(?1, 0))

-- name: api_key_list
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM api_key
WHERE (created_at, id) < (?1, ?2)
ORDER BY created_at DESC, id DESC
LIMIT ?3

-- name: api_key_revoke
UPDATE api_key SET revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?3 WHERE changes() = 1;
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM api_key
WHERE id = ?2

-- name: api_key_uses
-- Notes the last uses ?2 of the keys ?1.
UPDATE api_key SET last_used_at = u.at
FROM (SELECT i.value AS id, ?2 ->> i.key AS at FROM json_each(?1) AS i) AS u
WHERE api_key.id = u.id AND (last_used_at IS NULL OR last_used_at < u.at)

-- name: audit_write
INSERT INTO audit_writer (at, entry) VALUES (?1, ?2)

-- name: audit_list
-- The entries before the place (?1, ?2) that match the filters ?3 to ?7.
SELECT id, at, actor_type, actor_id, actor_name, action, target, user, details, request_id
FROM audit
WHERE (at, id) < (?1, ?2)
    AND (?3 IS NULL OR actor_id = ?3 OR actor_name = ?3)
    AND (?4 IS NULL OR action = ?4)
    AND (?5 IS NULL OR target = ?5)
    AND (?6 IS NULL OR at >= ?6)
    AND (?7 IS NULL OR at < ?7)
ORDER BY at DESC, id DESC
LIMIT ?8

-- name: audit_delete
-- Deletes entries from before ?1, which the trigger lets go from now on.
UPDATE audit_retention SET before = ?1 WHERE before < ?1;
DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ?1 ORDER BY at, id LIMIT ?2) RETURNING id
