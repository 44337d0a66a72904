SELECT place, account.id, account.subject, account.created_at
FROM unnest($1::text[]) WITH ORDINALITY AS asked (subject, place)
CROSS JOIN LATERAL (SELECT * FROM account WHERE account.subject = asked.subject OFFSET 0) AS account
