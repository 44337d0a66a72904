-- Changes a user's preferences; holdings stay when `p_tickers` is NULL. An empty time zone or language forgets what was
-- stored.
--
-- The row of `preferences` is locked first, so that two changes of one user happen one after the other.
CREATE OR REPLACE FUNCTION change_preferences(
    p_now bigint, p_user bigint, p_profile text, p_tickers text[], p_labels text[], p_notes text[],
    p_time_zone text, p_language text
) RETURNS TABLE (
    user_id bigint, focus_profile text, updated_at bigint, time_zone text, language text, ticker text, label text,
    notes text
)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    INSERT INTO preferences (user_id, focus_profile, updated_at, time_zone, language)
    VALUES (
        p_user, coalesce(p_profile, 'balanced')::focus_profile, v_now, nullif(p_time_zone, ''), nullif(p_language, '')
    )
    ON CONFLICT (user_id) DO UPDATE SET
        focus_profile = coalesce(p_profile::focus_profile, preferences.focus_profile), updated_at = v_now,
        time_zone = nullif(coalesce(p_time_zone, preferences.time_zone), ''),
        language = nullif(coalesce(p_language, preferences.language), '');
    IF p_tickers IS NOT NULL THEN
        DELETE FROM holding WHERE user_id = p_user;
        INSERT INTO holding (user_id, ticker, place, label, notes)
        SELECT p_user, given.ticker, given.place, given.label, given.notes
        FROM unnest(p_tickers, p_labels, p_notes) WITH ORDINALITY AS given (ticker, label, notes, place);
    END IF;
    RETURN QUERY
    SELECT p.user_id, p.focus_profile::text, p.updated_at, p.time_zone, p.language, h.ticker::text, h.label, h.notes
    FROM preferences AS p LEFT JOIN holding AS h ON h.user_id = p.user_id
    WHERE p.user_id = p_user
    ORDER BY h.place;
END
$$;
