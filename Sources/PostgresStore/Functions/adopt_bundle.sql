-- Makes a bundle the current one, applies the limits of its kinds, and promotes the jobs that these limits now allow.
CREATE OR REPLACE FUNCTION adopt_bundle(
    p_now bigint, p_hash text, p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[]
) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_new record;
    v_limit kind_limit;
    v_users bigint[];
    v_user bigint;
BEGIN
    INSERT INTO current_bundle (one, hash, adopted_at)
    VALUES (1, p_hash, v_now)
    ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, adopted_at = excluded.adopted_at;
    FOR v_new IN
        SELECT * FROM unnest(p_kinds, p_fleet_limits, p_user_limits) AS a (kind, fleet, per_user) ORDER BY a.kind
    LOOP
        IF coalesce(v_new.fleet, v_new.per_user) IS NOT NULL THEN
            INSERT INTO kind_limit (kind, fleet, per_user) VALUES (v_new.kind, v_new.fleet, v_new.per_user)
            ON CONFLICT (kind) DO NOTHING;
        END IF;
        SELECT * INTO v_limit FROM kind_limit WHERE kind = v_new.kind FOR UPDATE;
        CONTINUE WHEN NOT FOUND OR (
            v_limit.fleet IS NOT DISTINCT FROM v_new.fleet AND v_limit.per_user IS NOT DISTINCT FROM v_new.per_user);
        -- Permits of the fleet are not counted while there is no fleet limit.
        UPDATE kind_limit
        SET fleet = v_new.fleet, per_user = v_new.per_user,
            taken = (SELECT coalesce(sum(s.taken), 0) FROM user_concurrency AS s WHERE s.kind = v_new.kind)
        WHERE kind = v_new.kind;
        UPDATE user_concurrency SET position = NULL WHERE kind = v_new.kind AND position IS NOT NULL;
        -- Users in the order of their oldest waiting jobs.
        v_users := ARRAY(
            SELECT s.user_id
            FROM user_concurrency AS s
            WHERE s.kind = v_new.kind AND s.waiting > 0
            ORDER BY (SELECT min(w.job) FROM waiting AS w WHERE w.kind = s.kind AND w.user_id = s.user_id)
        );
        FOREACH v_user IN ARRAY v_users LOOP
            PERFORM take_position(v_new.kind, v_user);
        END LOOP;
        IF v_new.fleet IS NULL THEN
            FOREACH v_user IN ARRAY v_users LOOP
                PERFORM promote_user(v_new.kind, v_user, v_new.per_user, v_now);
            END LOOP;
        ELSE
            PERFORM promote_by_position(v_new.kind, v_now);
        END IF;
    END LOOP;
    RETURN true;
END
$$;
