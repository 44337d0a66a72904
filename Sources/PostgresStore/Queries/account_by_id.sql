SELECT place, account.id, account.subject, account.created_at
FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, place)
CROSS JOIN LATERAL (SELECT * FROM account WHERE account.id = asked.id OFFSET 0) AS account
