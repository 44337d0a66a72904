SELECT ticker FROM holding GROUP BY ticker ORDER BY count(*) DESC, ticker LIMIT ?1
