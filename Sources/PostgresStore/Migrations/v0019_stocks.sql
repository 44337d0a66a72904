-- What users watch.
CREATE TABLE watchlist (
    user_id bigint NOT NULL,
    added_at bigint NOT NULL,
    ticker text NOT NULL,
    name text,
    PRIMARY KEY (user_id, ticker)
);

ALTER TABLE watchlist ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON watchlist USING (user_id = (SELECT current_user_id()));

-- A service that may not make roles has none to grant to.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_reader') THEN
        GRANT SELECT ON watchlist TO dossier_reader;
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'the role dossier_reader was not granted the watchlist';
END
$$;

-- Puts a stock on a list unless it is there or the list is full. One at a time for each user: a count holds only as long
-- as nobody else adds.
CREATE FUNCTION watchlist_add(p_now bigint, p_user bigint, p_ticker text, p_name text, p_limit bigint)
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

-- What each broker has counted of users' requests in a minute. It need not outlive a crash.
CREATE UNLOGGED TABLE rate_count (
    minute bigint NOT NULL,
    user_id bigint NOT NULL,
    count bigint NOT NULL,
    bucket text NOT NULL,
    broker text NOT NULL,
    PRIMARY KEY (minute, user_id, bucket, broker)
);

-- What was spent since a moment is asked for at every reading of metrics.
CREATE INDEX model_call_created ON model_call (created_at);
