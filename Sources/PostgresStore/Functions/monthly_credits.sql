-- Credits that come with a month.

-- Adds to the granted credits of a user, whose balance is locked, with the entry of the ledger.
CREATE OR REPLACE FUNCTION grant_of_plan(p_user bigint, p_amount bigint, p_source text, p_month text, p_now bigint)
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    IF p_amount = 0 THEN
        RETURN;
    END IF;
    INSERT INTO ledger (user_id, kind, amount, source, month, created_at)
    VALUES (p_user, 'grant', p_amount, p_source, p_month, p_now);
    UPDATE balance AS b
    SET granted = b.granted + p_amount, changes = b.changes + 1, bucket = (b.changes + 1) / 16
    WHERE b.user_id = p_user AND b.bucket = (balance_of(p_user)).bucket;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a balance has moved to its next bucket' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

-- Begins a month for a user: what is left of the plan credits goes beyond `p_carry_over`, and the month's credits come.
-- In a month that has begun, it adds the credits that are missing. Plan credits are used before all others; those that
-- jobs hold go on into the month. Returns the credits that came and went.
CREATE OR REPLACE FUNCTION grant_month(
    p_now bigint, p_user bigint, p_month text, p_amount bigint, p_carry_over bigint, p_starting bigint
) RETURNS TABLE (came bigint, went bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_kept plan_credit;
    v_balance balance;
    v_used bigint;
BEGIN
    came := 0;
    went := 0;
    PERFORM pg_advisory_xact_lock(hashtextextended('plan credits ' || p_user, 0));
    SELECT * INTO v_kept FROM plan_credit AS c WHERE c.user_id = p_user;
    IF v_kept.user_id IS NULL AND p_amount = 0
        OR v_kept.month > p_month COLLATE "C"
        OR v_kept.month = p_month COLLATE "C" AND v_kept.granted >= p_amount
    THEN
        RETURN NEXT;
        RETURN;
    END IF;
    PERFORM open_credits(p_now, p_user, p_starting);
    PERFORM lock_balances(ARRAY[p_user]);
    v_balance := balance_of(p_user);
    IF v_kept.user_id IS NULL THEN
        v_kept.granted := 0;
        v_kept.spent := 0;
        v_kept.pool := 0;
    ELSE
        v_used := least(v_kept.pool, v_balance.used - v_kept.used);
        v_kept.spent := v_kept.spent + v_used;
        v_kept.pool := least(v_kept.pool - v_used, v_balance.granted - v_balance.used);
        IF v_kept.month <> p_month COLLATE "C" THEN
            went := greatest(v_kept.pool - v_balance.held - p_carry_over, 0);
            PERFORM grant_of_plan(p_user, -went, 'expiry', v_kept.month, v_now);
            v_kept.pool := v_kept.pool - went;
            v_kept.granted := 0;
            v_kept.spent := 0;
        END IF;
    END IF;
    came := p_amount - v_kept.granted;
    PERFORM grant_of_plan(p_user, came, 'plan', p_month, v_now);
    INSERT INTO plan_credit AS c (user_id, month, granted, spent, pool, used)
    VALUES (p_user, p_month, v_kept.granted + came, v_kept.spent, v_kept.pool + came, v_balance.used)
    ON CONFLICT (user_id) DO UPDATE
    SET month = excluded.month, granted = excluded.granted, spent = excluded.spent, pool = excluded.pool,
        used = excluded.used;
    RETURN NEXT;
END
$$;
