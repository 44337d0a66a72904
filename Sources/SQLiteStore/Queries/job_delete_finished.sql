-- A job whose idempotency key may still be asked for stays.
DELETE FROM job
WHERE number IN (
    SELECT number
    FROM job
    WHERE completed_at IS NOT NULL AND completed_at < ?1 AND (idempotency_key IS NULL OR created_at < ?2)
    ORDER BY completed_at
    LIMIT ?3
)
