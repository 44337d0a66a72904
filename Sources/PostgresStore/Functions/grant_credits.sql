-- Adds credits, or removes free ones. No row when there are not enough. A repeated operation returns the current
-- balance.
CREATE OR REPLACE FUNCTION grant_credits(
    p_now bigint, p_operation uuid, p_user bigint, p_amount bigint, p_note text, p_starting bigint,
    p_source text
) RETURNS TABLE (granted bigint, held bigint, used bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_balance balance;
BEGIN
    PERFORM lock_balances(ARRAY[p_user]);
    v_balance := balance_of(p_user);
    IF EXISTS (SELECT FROM ledger AS l WHERE l.operation = p_operation) THEN
        RETURN QUERY SELECT v_balance.granted, v_balance.held, v_balance.used;
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        v_balance.granted := p_starting;
        v_balance.held := 0;
        v_balance.used := 0;
    END IF;
    IF v_balance.granted::numeric - v_balance.held - v_balance.used + p_amount < 0
        OR v_balance.granted::numeric + p_amount > 9223372036854775807
    THEN
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        PERFORM begin_balances(ARRAY[p_user], ARRAY[p_starting], v_now);
        v_balance.bucket := 0;
    END IF;
    INSERT INTO ledger (user_id, kind, amount, note, operation, source, created_at)
    VALUES (p_user, 'grant', p_amount, p_note, p_operation, coalesce(p_source, 'correction'), v_now);
    UPDATE balance AS b
    SET granted = b.granted + p_amount, changes = b.changes + 1, bucket = (b.changes + 1) / 16
    WHERE b.user_id = p_user AND b.bucket = v_balance.bucket;
    RETURN QUERY SELECT v_balance.granted + p_amount, v_balance.held, v_balance.used;
END
$$;
