SELECT w.digest, v.model, v.components
FROM (
    (
        -- The owner stands in the order, so that the index gives it.
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
    UNION ALL
    (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = $2::bigint
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
) AS w
CROSS JOIN LATERAL (
    SELECT * FROM passage_vector WHERE digest = w.digest AND model = $1::text LIMIT 1
) AS v
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC
