SELECT asked.place, b.granted, b.held, b.used
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (user_id, place)
CROSS JOIN LATERAL (SELECT * FROM balance AS n WHERE n.user_id = asked.user_id ORDER BY n.era DESC LIMIT 1) AS b
