WITH gone AS (
    DELETE FROM document
    WHERE key = ANY (ARRAY(
        SELECT key FROM document WHERE kept_until < $1::bigint ORDER BY kept_until LIMIT $2::bigint FOR UPDATE SKIP LOCKED
    ))
    RETURNING key
)
SELECT count(*) FROM gone
