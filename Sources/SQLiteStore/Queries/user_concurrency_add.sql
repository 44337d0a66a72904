INSERT INTO user_concurrency (kind, user, taken, waiting)
VALUES (?1, ?2, max(?3, 0), max(?4, 0))
ON CONFLICT (kind, user) DO UPDATE SET taken = taken + ?3, waiting = waiting + ?4
