-- Grants under ids of other systems, each of which happens once.

-- Grants credits, or takes those that remain. Returns the grant and whether it is new, an earlier one with the same
-- members, or another one; no row when there would be more credits than can be counted.
CREATE OR REPLACE FUNCTION grant_once(
    p_now bigint, p_digest text, p_external_id text, p_id uuid, p_user bigint, p_amount bigint, p_source text,
    p_note text, p_starting bigint, p_audit text
) RETURNS TABLE (state text, made credit_grant)
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_made credit_grant;
    v_balance balance;
    v_granted bigint;
BEGIN
    -- Equal grants follow each other.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_digest, 0));
    SELECT * INTO v_made FROM credit_grant AS g WHERE g.digest = p_digest;
    IF FOUND THEN
        RETURN QUERY
        SELECT
            CASE
                WHEN (v_made.user_id, v_made.amount, v_made.source) = (p_user, p_amount, p_source) THEN 'existing'
                ELSE 'conflict'
            END,
            v_made;
        RETURN;
    END IF;
    PERFORM lock_balances(ARRAY[p_user]);
    v_balance := balance_of(p_user);
    v_made.applied := CASE
        WHEN v_balance.user_id IS NULL THEN greatest(p_amount, -p_starting)
        ELSE greatest(p_amount, v_balance.held + v_balance.used - v_balance.granted)
    END;
    v_granted := coalesce(v_balance.granted, p_starting);
    IF v_made.applied <> 0 THEN
        SELECT g.granted INTO v_granted
        FROM grant_credits(v_now, p_id, p_user, v_made.applied, p_note, p_starting, p_source) AS g;
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    INSERT INTO credit_grant (
        digest, external_id, id, user_id, amount, applied, source, note, created_at, granted, held, used)
    VALUES (
        p_digest, p_external_id, p_id::text, p_user, p_amount, v_made.applied, p_source, p_note, v_now, v_granted,
        coalesce(v_balance.held, 0), coalesce(v_balance.used, 0))
    RETURNING * INTO v_made;
    PERFORM write_audit(v_now, p_audit);
    RETURN QUERY SELECT 'granted', v_made;
END
$$;

-- Stores the starting credits of a user without any record of credits.
CREATE OR REPLACE FUNCTION open_credits(p_now bigint, p_user bigint, p_starting bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM account_owner AS o WHERE o.user_id = p_user) THEN
        PERFORM begin_balances(ARRAY[p_user], ARRAY[p_starting], coalesce(p_now, store_now()));
    END IF;
END
$$;
