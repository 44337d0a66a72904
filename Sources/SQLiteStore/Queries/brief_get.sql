SELECT user, items, generated_at FROM brief WHERE user IN (SELECT value FROM json_each(?1)) ORDER BY user
