-- Preferences, holdings and watchlists of users; with the latest brief of each user.

-- name: preferences_get
SELECT preferences.user_id, focus_profile::text, updated_at, time_zone, language, ticker, label, notes
FROM preferences LEFT JOIN holding ON holding.user_id = preferences.user_id
WHERE preferences.user_id = $1::bigint
ORDER BY place

-- name: preferences_change
SELECT * FROM change_preferences($1, $2, $3, $4, $5, $6, $7, $8)

-- name: held_tickers
SELECT ticker FROM holding GROUP BY ticker ORDER BY count(*) DESC, ticker LIMIT $1::bigint

-- name: reader_languages
SELECT coalesce(language, 'en') COLLATE "C" AS chosen FROM preferences GROUP BY chosen ORDER BY count(*) DESC, chosen

-- name: held_tickers_by_language
SELECT ticker FROM holding JOIN preferences ON preferences.user_id = holding.user_id
WHERE coalesce(language, 'en') = $2
GROUP BY ticker ORDER BY count(*) DESC, ticker LIMIT $1::bigint

-- name: holder_zones
SELECT DISTINCT coalesce(time_zone, '') COLLATE "C" AS zone FROM preferences
WHERE EXISTS (SELECT 1 FROM holding WHERE holding.user_id = preferences.user_id)
ORDER BY zone

-- name: holders_after
SELECT preferences.user_id, focus_profile::text, updated_at, time_zone, language, ticker, label, notes
FROM (
    SELECT p.user_id FROM preferences AS p
    WHERE p.user_id > $1::bigint AND coalesce(p.time_zone, '') = ANY ($3::text[])
        AND EXISTS (SELECT 1 FROM holding AS h WHERE h.user_id = p.user_id)
    ORDER BY p.user_id
    LIMIT $2::bigint
) AS chosen
JOIN preferences ON preferences.user_id = chosen.user_id
JOIN holding ON holding.user_id = chosen.user_id
ORDER BY preferences.user_id, place

-- name: brief_get
SELECT user_id, items, generated_at FROM brief WHERE user_id = ANY ($1::bigint[]) ORDER BY user_id

-- name: watchlist_get
SELECT ticker, name, added_at FROM watchlist WHERE user_id = $1 ORDER BY added_at DESC, ticker

-- name: watchlist_add
SELECT state, name, added_at FROM watchlist_add($1, $2, $3, $4, $5)

-- name: watchlist_remove
DELETE FROM watchlist WHERE user_id = $1 AND ticker = $2 RETURNING ticker
