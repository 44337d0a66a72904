-- Returns the account of a subject. A new subject gets the number that it prints, otherwise the next free one.
CREATE OR REPLACE FUNCTION account_for(p_now bigint, p_subject text, p_printed bigint)
RETURNS TABLE (id bigint, created_at bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    -- One transaction at a time, so that numbers have no gaps and two calls for a new subject do not conflict.
    PERFORM pg_advisory_xact_lock(hashtextextended('account', 0));
    RETURN QUERY SELECT a.id, a.created_at FROM account AS a WHERE a.subject = p_subject;
    IF NOT FOUND THEN
        RETURN QUERY
        INSERT INTO account AS a (id, subject, created_at)
        VALUES (coalesce(p_printed, nextval('account_number')), p_subject, v_now)
        RETURNING a.id, a.created_at;
    END IF;
END
$$;
