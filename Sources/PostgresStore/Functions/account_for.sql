-- Returns the account of a subject. A new subject gets the number that it prints, otherwise the next free one. Where an
-- erasure knows the HMAC of the subject, its credits have been granted before.
CREATE OR REPLACE FUNCTION account_for(p_now bigint, p_subject text, p_printed bigint, p_digest text)
RETURNS TABLE (id bigint, created_at bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_account account;
BEGIN
    -- One transaction at a time, so that numbers have no gaps and two calls for a new subject do not conflict.
    PERFORM pg_advisory_xact_lock(hashtextextended('account', 0));
    RETURN QUERY SELECT a.id, a.created_at FROM account AS a WHERE a.subject = p_subject;
    IF NOT FOUND THEN
        INSERT INTO account AS a (id, subject, created_at)
        VALUES (coalesce(p_printed, nextval('account_number')), p_subject, v_now)
        RETURNING a.* INTO v_account;
        IF EXISTS (SELECT FROM erasure AS e WHERE e.digest = p_digest AND e.had_credits) THEN
            PERFORM begin_balances(ARRAY[v_account.id], ARRAY[0::bigint], v_now);
        END IF;
        INSERT INTO plan_credit (user_id, month, granted, spent, pool, used)
        SELECT v_account.id, e.month, e.month_granted, e.month_granted, 0, 0
        FROM erasure AS e
        WHERE e.digest = p_digest AND e.month IS NOT NULL
        ORDER BY e.month DESC, e.month_granted DESC
        LIMIT 1;
        RETURN QUERY SELECT v_account.id, v_account.created_at;
    END IF;
END
$$;
