-- What is stored beside what the ledger adds up to, for every user who has either.
WITH recomputed AS (
    SELECT
        user,
        sum(CASE WHEN kind = 'grant' THEN amount ELSE 0 END) AS granted,
        sum(CASE kind WHEN 'hold' THEN amount WHEN 'settle' THEN -amount WHEN 'release' THEN -amount ELSE 0 END)
            AS held,
        sum(CASE WHEN kind = 'settle' THEN amount ELSE 0 END) AS used
    FROM ledger
    GROUP BY user
)
SELECT
    coalesce(s.user, r.user) AS user,
    coalesce(s.granted, 0), coalesce(s.held, 0), coalesce(s.used, 0),
    coalesce(r.granted, 0), coalesce(r.held, 0), coalesce(r.used, 0)
FROM balance AS s
FULL JOIN recomputed AS r ON r.user = s.user
ORDER BY 1
