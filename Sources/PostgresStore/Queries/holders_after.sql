SELECT preferences.user_id, focus_profile::text, updated_at, ticker, label, notes
FROM (SELECT DISTINCT user_id FROM holding WHERE user_id > $1::bigint ORDER BY user_id LIMIT $2::bigint) AS chosen
JOIN preferences ON preferences.user_id = chosen.user_id
JOIN holding ON holding.user_id = chosen.user_id
ORDER BY preferences.user_id, place
