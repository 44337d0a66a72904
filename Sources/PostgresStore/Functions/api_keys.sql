-- API keys, and the one way to write an entry of the audit.

-- Stores an entry of the audit: the JSON of `AuditEntry.stored`. An entry that is written again changes nothing.
CREATE OR REPLACE FUNCTION write_audit(p_now bigint, p_entry text) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    v_entry json := p_entry;
BEGIN
    INSERT INTO audit (id, at, actor_type, actor_id, actor_name, action, target, user_id, details, request_id)
    VALUES (
        v_entry ->> 'id', coalesce(p_now, store_now()), v_entry ->> 'actor_type', v_entry ->> 'actor_id',
        v_entry ->> 'actor_name', v_entry ->> 'action', v_entry ->> 'target', (v_entry ->> 'user')::bigint,
        v_entry ->> 'details', v_entry ->> 'request_id')
    ON CONFLICT (id) DO NOTHING;
END
$$;

-- Stores a key unless there are p_most live ones or its creator's request made one before. Returns the key, or the one
-- of that request; no row when there are too many.
CREATE OR REPLACE FUNCTION create_api_key(
    p_now bigint, p_id text, p_name text, p_prefix text, p_scopes text, p_creator_type text, p_creator_id text,
    p_creator_name text, p_expires_at bigint, p_digest text, p_seed text, p_request_key text, p_fingerprint text,
    p_most bigint, p_audit text) RETURNS SETOF api_key
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    -- One at a time, so that the count holds.
    PERFORM pg_advisory_xact_lock(hashtextextended('api_key', 0));
    INSERT INTO api_key (
        id, digest, seed, name, prefix, scopes, created_at, creator_type, creator_id, creator_name, expires_at,
        request_key, fingerprint)
    SELECT p_id, p_digest, p_seed, p_name, p_prefix, p_scopes, v_now, p_creator_type, p_creator_id, p_creator_name,
        p_expires_at, p_request_key, p_fingerprint
    WHERE p_most > (
        SELECT count(*) FROM api_key AS k WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > v_now)
    )
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        PERFORM write_audit(v_now, p_audit);
    END IF;
    RETURN QUERY
    SELECT k.*
    FROM api_key AS k
    WHERE k.id = p_id
        OR k.creator_type = p_creator_type AND k.creator_id = p_creator_id AND k.request_key = p_request_key;
END
$$;

-- Revokes a key, once, and returns it.
CREATE OR REPLACE FUNCTION revoke_api_key(p_now bigint, p_id text, p_audit text) RETURNS SETOF api_key
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    UPDATE api_key AS k SET revoked_at = v_now WHERE k.id = p_id AND k.revoked_at IS NULL;
    IF FOUND THEN
        PERFORM write_audit(v_now, p_audit);
    END IF;
    RETURN QUERY SELECT k.* FROM api_key AS k WHERE k.id = p_id;
END
$$;
