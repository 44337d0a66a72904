SELECT preferences.user, focus_profile, updated_at, ticker, label, notes
FROM (SELECT DISTINCT user FROM holding WHERE user > ?1 ORDER BY user LIMIT ?2) AS chosen
JOIN preferences ON preferences.user = chosen.user
JOIN holding ON holding.user = chosen.user
ORDER BY preferences.user, place
