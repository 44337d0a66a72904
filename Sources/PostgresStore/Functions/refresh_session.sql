-- Uses a refresh token; its successor is p_successor with the seed p_seed. A token that was first used by p_replayed, or
-- whose successor was used, ends the session.
--
-- The session's row is locked first, so that requests with tokens of one session follow each other.
CREATE OR REPLACE FUNCTION refresh_session(
    p_now bigint, p_digest text, p_successor text, p_seed text, p_replayed bigint, p_idle bigint, p_lifetime bigint)
RETURNS TABLE (
    id text, user_id bigint, device text, tier text, role text, created_at bigint, last_used_at bigint,
    ends_at bigint, subject text, generation bigint, state text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_session session%ROWTYPE;
    v_token refresh_token%ROWTYPE;
    v_state text := 'over';
BEGIN
    SELECT s.* INTO v_session
    FROM session AS s
    WHERE s.id = (SELECT t.session FROM refresh_token AS t WHERE t.digest = p_digest)
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT t.* INTO v_token FROM refresh_token AS t WHERE t.digest = p_digest;
    IF v_session.ended_at = p_now THEN
        v_state := 'reused';
    ELSIF v_session.ended_at IS NULL AND v_session.ends_at > p_now THEN
        IF v_token.used_at IS NULL THEN
            INSERT INTO refresh_token (digest, session, seed) VALUES (p_successor, v_session.id, p_seed)
            ON CONFLICT DO NOTHING;
            UPDATE refresh_token AS t SET used_at = p_now, successor = p_successor WHERE t.digest = p_digest;
            UPDATE session AS s SET last_used_at = p_now, ends_at = least(p_now + p_idle, s.created_at + p_lifetime)
            WHERE s.id = v_session.id
            RETURNING s.* INTO v_session;
            v_state := 'refreshed';
        ELSIF v_token.used_at <= p_replayed
            OR EXISTS (SELECT FROM refresh_token AS n WHERE n.digest = v_token.successor AND n.used_at IS NOT NULL)
        THEN
            UPDATE session AS s SET ended_at = p_now WHERE s.id = v_session.id;
            v_state := 'reused';
        ELSE
            v_state := 'refreshed';
        END IF;
    END IF;
    RETURN QUERY
    SELECT v_session.id, v_session.user_id, v_session.device, v_session.tier, v_session.role, v_session.created_at,
        v_session.last_used_at, v_session.ends_at, a.subject,
        coalesce((SELECT g.generation FROM access_generation AS g WHERE g.user_id = v_session.user_id), 0), v_state
    FROM account AS a
    WHERE a.id = v_session.user_id;
END
$$;

-- Ends all sessions of a user and raises the generation, once for this time.
CREATE OR REPLACE FUNCTION end_sessions(p_now bigint, p_user bigint)
RETURNS TABLE (ended bigint, generation bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
    UPDATE session AS s SET ended_at = p_now WHERE s.user_id = p_user AND s.ended_at IS NULL AND s.ends_at > p_now;
    INSERT INTO access_generation AS g (user_id, generation, changed_at) VALUES (p_user, 1, p_now)
    ON CONFLICT (user_id) DO UPDATE SET generation = g.generation + 1, changed_at = p_now WHERE g.changed_at < p_now;
    RETURN QUERY
    SELECT (SELECT count(*) FROM session AS s WHERE s.user_id = p_user AND s.ended_at = p_now), g.generation
    FROM access_generation AS g
    WHERE g.user_id = p_user;
END
$$;
