SELECT w.digest
FROM (
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
    UNION ALL
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = ?2
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
) AS w
WHERE w.digest IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passage_vector AS v WHERE v.digest = w.digest AND v.model = ?1)
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC
