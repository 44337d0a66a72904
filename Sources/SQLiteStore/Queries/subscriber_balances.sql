-- What followers held is used, or free again.
UPDATE balance
SET held = held - f.amount, used = used + CASE ?2 WHEN 'settle' THEN f.amount ELSE 0 END
FROM (SELECT user, sum(cost) AS amount FROM job WHERE following = ?1 AND cost > 0 GROUP BY user) AS f
WHERE balance.user = f.user
