SELECT preferences.user_id, focus_profile::text, updated_at, ticker, label, notes
FROM preferences LEFT JOIN holding ON holding.user_id = preferences.user_id
WHERE preferences.user_id = $1::bigint
ORDER BY place
