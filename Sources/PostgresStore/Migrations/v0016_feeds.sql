-- What users say of themselves, what models made of articles, and the latest brief of each user.
CREATE TYPE focus_profile AS ENUM ('focused', 'balanced', 'broad');

CREATE TABLE preferences (
    user_id bigint PRIMARY KEY,
    focus_profile focus_profile NOT NULL,
    updated_at bigint NOT NULL
);

CREATE TABLE holding (
    user_id bigint NOT NULL REFERENCES preferences (user_id) ON DELETE CASCADE,
    ticker text COLLATE "C" NOT NULL,
    -- The order in which the user gave them, from 1.
    place bigint NOT NULL,
    label text,
    notes text,
    PRIMARY KEY (user_id, ticker)
);

-- By the canonical address of the article; the signal is a JSON object.
CREATE TABLE article_signal (
    url text COLLATE "C" PRIMARY KEY CHECK (octet_length(url) <= 2048),
    signal text NOT NULL,
    made_at bigint NOT NULL
);

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- User -1 is everybody's; the items are a JSON array.
CREATE TABLE brief (
    user_id bigint PRIMARY KEY,
    items text NOT NULL,
    generated_at bigint NOT NULL
);

-- Without tickers the holdings stay. The row of `preferences` is locked first, so that two changes of one user come
-- one after the other.
CREATE FUNCTION change_preferences(
    timestamp bigint, changing bigint, profile text, tickers text[], labels text[], noted text[]
) RETURNS TABLE (user_id bigint, focus_profile text, updated_at bigint, ticker text, label text, notes text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    happened CONSTANT bigint := coalesce(timestamp, store_now());
BEGIN
    INSERT INTO preferences (user_id, focus_profile, updated_at)
    VALUES (changing, coalesce(profile, 'balanced')::focus_profile, happened)
    ON CONFLICT (user_id) DO UPDATE SET
        focus_profile = coalesce(profile::focus_profile, preferences.focus_profile), updated_at = happened;
    IF tickers IS NOT NULL THEN
        DELETE FROM holding WHERE user_id = changing;
        INSERT INTO holding (user_id, ticker, place, label, notes)
        SELECT changing, given.ticker, given.place, given.label, given.notes
        FROM unnest(tickers, labels, noted) WITH ORDINALITY AS given (ticker, label, notes, place);
    END IF;
    RETURN QUERY
    SELECT p.user_id, p.focus_profile::text, p.updated_at, h.ticker::text, h.label, h.notes
    FROM preferences AS p LEFT JOIN holding AS h ON h.user_id = p.user_id
    WHERE p.user_id = changing
    ORDER BY h.place;
END
$$;

-- What jobs write, as `apply_records` hands it over. Signals a month older than the latest are forgotten.
CREATE FUNCTION record_article_signal(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO article_signal AS s (url, signal, made_at)
    VALUES (p_body ->> 'url', p_body ->> 'signal', (p_body ->> 'made_at')::bigint)
    ON CONFLICT (url) DO UPDATE SET signal = excluded.signal, made_at = excluded.made_at
    WHERE s.made_at <= excluded.made_at;
    DELETE FROM article_signal WHERE made_at < (p_body ->> 'made_at')::bigint - 2592000000
$$;

CREATE FUNCTION record_brief(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO brief AS b (user_id, items, generated_at)
    VALUES ((p_body ->> 'user')::bigint, p_body ->> 'items', (p_body ->> 'generated_at')::bigint)
    ON CONFLICT (user_id) DO UPDATE SET items = excluded.items, generated_at = excluded.generated_at
    WHERE b.generated_at <= excluded.generated_at
$$;

ALTER TABLE preferences ENABLE ROW LEVEL SECURITY;
ALTER TABLE holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE brief ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON preferences USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON holding USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON brief USING (user_id IN ((SELECT current_user_id()), -1));

DO $$
BEGIN
    GRANT SELECT ON preferences, holding, brief TO dossier_reader;
EXCEPTION
    WHEN undefined_object OR insufficient_privilege THEN
        RAISE NOTICE 'the role dossier_reader was not granted what users say of themselves';
END
$$;
