SELECT preferences.user, focus_profile, updated_at, ticker, label, notes
FROM preferences LEFT JOIN holding ON holding.user = preferences.user
WHERE preferences.user = ?1
ORDER BY place
