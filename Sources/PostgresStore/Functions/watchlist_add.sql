-- Adds a stock to a watchlist unless it is listed already or the list is full.
--
-- Additions of one user happen one after the other, since the count must not change in between.
CREATE OR REPLACE FUNCTION watchlist_add(p_now bigint, p_user bigint, p_ticker text, p_name text, p_limit bigint)
RETURNS TABLE (state text, name text, added_at bigint)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('watchlist', p_user));
    RETURN QUERY
    SELECT 'existing', w.name, w.added_at FROM watchlist AS w WHERE w.user_id = p_user AND w.ticker = p_ticker;
    IF FOUND THEN
        RETURN;
    END IF;
    IF (SELECT count(*) FROM watchlist AS w WHERE w.user_id = p_user) >= p_limit THEN
        RETURN QUERY SELECT 'full', NULL::text, 0::bigint;
        RETURN;
    END IF;
    RETURN QUERY
    INSERT INTO watchlist AS w (user_id, ticker, name, added_at)
    VALUES (p_user, p_ticker, p_name, coalesce(p_now, store_now()))
    RETURNING 'added', w.name, w.added_at;
END
$$;
