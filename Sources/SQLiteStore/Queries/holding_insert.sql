INSERT INTO holding (user, ticker, place, label, notes) VALUES (?1, ?2, ?3, ?4, ?5)
