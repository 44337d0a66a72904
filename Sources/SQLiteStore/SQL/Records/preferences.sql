-- Preferences, holdings and watchlists of users; with the latest brief of each user.

-- name: preferences_get
SELECT preferences.user, focus_profile, updated_at, time_zone, language, ticker, label, notes
FROM preferences LEFT JOIN holding ON holding.user = preferences.user
WHERE preferences.user = ?1
ORDER BY place

-- name: preferences_change
-- Without a list of tickers, ?4, the holdings stay.
-- An empty time zone or language forgets what was stored.
INSERT INTO preferences (user, focus_profile, updated_at, time_zone, language)
VALUES (?2, coalesce(?3, 'balanced'), ?1, nullif(?7, ''), nullif(?8, ''))
ON CONFLICT (user) DO UPDATE SET
    focus_profile = coalesce(?3, focus_profile), updated_at = ?1,
    time_zone = nullif(coalesce(?7, time_zone), ''), language = nullif(coalesce(?8, language), '');
DELETE FROM holding WHERE user = ?2 AND ?4 IS NOT NULL;
INSERT INTO holding (user, ticker, place, label, notes)
SELECT ?2, value, key, ?5 ->> key, ?6 ->> key FROM json_each(?4);
SELECT preferences.user, focus_profile, updated_at, time_zone, language, ticker, label, notes
FROM preferences LEFT JOIN holding ON holding.user = preferences.user
WHERE preferences.user = ?2
ORDER BY place

-- name: held_tickers
SELECT ticker FROM holding GROUP BY ticker ORDER BY count(*) DESC, ticker LIMIT ?1

-- name: reader_languages
SELECT coalesce(language, 'en') AS chosen FROM preferences GROUP BY chosen ORDER BY count(*) DESC, chosen

-- name: held_tickers_by_language
SELECT ticker FROM holding JOIN preferences ON preferences.user = holding.user
WHERE coalesce(language, 'en') = ?2
GROUP BY ticker ORDER BY count(*) DESC, ticker LIMIT ?1

-- name: holder_zones
SELECT DISTINCT coalesce(time_zone, '') FROM preferences
WHERE EXISTS (SELECT 1 FROM holding WHERE holding.user = preferences.user)
ORDER BY 1

-- name: holders_after
SELECT preferences.user, focus_profile, updated_at, time_zone, language, ticker, label, notes
FROM (
    SELECT p.user FROM preferences AS p
    WHERE p.user > ?1 AND coalesce(p.time_zone, '') IN (SELECT value FROM json_each(?3))
        AND EXISTS (SELECT 1 FROM holding AS h WHERE h.user = p.user)
    ORDER BY p.user
    LIMIT ?2
) AS chosen
JOIN preferences ON preferences.user = chosen.user
JOIN holding ON holding.user = chosen.user
ORDER BY preferences.user, place

-- name: brief_get
SELECT user, items, generated_at FROM brief WHERE user IN (SELECT value FROM json_each(?1)) ORDER BY user

-- name: record_brief
INSERT INTO brief (user, items, generated_at) VALUES (?1, ?2, ?3)
ON CONFLICT (user) DO UPDATE SET items = excluded.items, generated_at = excluded.generated_at
WHERE excluded.generated_at >= brief.generated_at

-- name: watchlist_get
SELECT ticker, name, added_at FROM watchlist WHERE user = ?1 ORDER BY added_at DESC, ticker

-- name: watchlist_add
-- Adds a stock unless the list has it or holds ?5 stocks.
INSERT INTO watchlist (user, ticker, name, added_at)
SELECT ?2, ?3, ?4, ?1 WHERE (SELECT count(*) FROM watchlist WHERE user = ?2) < ?5
ON CONFLICT DO NOTHING;
SELECT iif(changes() = 1, 'added', iif(w.ticker IS NULL, 'full', 'existing')), w.name, w.added_at
FROM (SELECT ?2 AS user, ?3 AS ticker) AS asked
LEFT JOIN watchlist AS w ON w.user = asked.user AND w.ticker = asked.ticker

-- name: watchlist_remove
DELETE FROM watchlist WHERE user = ?1 AND ticker = ?2 RETURNING ticker
