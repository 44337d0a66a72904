-- Adds a stock unless the user has ?5 already.
INSERT INTO watchlist (user, ticker, name, added_at)
SELECT ?1, ?2, ?3, ?4
WHERE (SELECT count(*) FROM watchlist WHERE user = ?1) < ?5
