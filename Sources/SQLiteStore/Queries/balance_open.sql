INSERT INTO balance (user, granted, held, used) VALUES (?1, ?2, 0, 0)
