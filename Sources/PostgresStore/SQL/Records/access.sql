-- API keys, and the audit of what operators, keys and the command line write.

-- name: api_key_create
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at,
    digest, seed, fingerprint
FROM create_api_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)

-- name: api_key_by_digest
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM api_key
WHERE digest = $1

-- name: api_keys_live
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at,
    digest
FROM api_key
WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > coalesce($1, store_now()))

-- name: api_key_list
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM api_key
WHERE (created_at, id) < ($1, $2)
ORDER BY created_at DESC, id DESC
LIMIT $3

-- name: api_key_revoke
SELECT
    id, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, last_used_at, expires_at, revoked_at
FROM revoke_api_key($1, $2, $3)

-- name: api_key_uses
-- Notes the last uses $2 of the keys $1.
UPDATE api_key AS k SET last_used_at = u.at
FROM unnest($1::text[], $2::bigint[]) AS u (id, at)
WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)

-- name: audit_write
SELECT write_audit($1, $2)

-- name: audit_list
-- The entries before the place ($1, $2) that match the filters $3 to $7.
SELECT id, at, actor_type, actor_id, actor_name, action, target, user_id, details, request_id
FROM audit
WHERE (at, id) < ($1, $2)
    AND ($3::text IS NULL OR actor_id = $3 OR actor_name = $3)
    AND ($4::text IS NULL OR action = $4)
    AND ($5::text IS NULL OR target = $5)
    AND ($6::bigint IS NULL OR at >= $6)
    AND ($7::bigint IS NULL OR at < $7)
ORDER BY at DESC, id DESC
LIMIT $8

-- name: audit_delete
SELECT id FROM delete_old_audit($1, $2) AS d (id)
