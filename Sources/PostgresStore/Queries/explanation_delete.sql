WITH gone AS (
    DELETE FROM story_explanation
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM story_explanation WHERE created_at < $1::bigint ORDER BY created_at LIMIT $2::bigint
        FOR UPDATE SKIP LOCKED
    ))
    RETURNING story
)
SELECT count(*) FROM gone
