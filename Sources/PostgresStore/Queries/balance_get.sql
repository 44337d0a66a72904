SELECT asked.place, b.granted, b.held, b.used
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (user_id, place)
CROSS JOIN LATERAL (SELECT * FROM balance WHERE balance.user_id = asked.user_id OFFSET 0) AS b
