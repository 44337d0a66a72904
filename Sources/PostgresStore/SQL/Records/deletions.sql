-- Deletions of single things at the wish of their user.

-- name: job_delete
SELECT delete_job($1, $2, $3, $4)

-- name: conversation_delete
-- Deletes the conversation $2 of user $1 unless a job still answers in it.
WITH answering AS (
    SELECT EXISTS (
        SELECT FROM serialized_job
        WHERE user_id = $1::bigint AND concurrency_key IN ('chat/' || $2::text, 'education/' || $2::text)
    ) AS is_so
),
gone AS (
    DELETE FROM conversation_turn
    WHERE user_id = $1 AND conversation = $2 AND NOT (SELECT is_so FROM answering)
)
SELECT
    (SELECT is_so FROM answering),
    (SELECT count(*) FROM conversation_turn WHERE user_id = $1 AND conversation = $2)

-- name: conversations_delete
-- Deletes turns of conversations whose last turn is from before $1.
DELETE FROM conversation_turn
WHERE number IN (
    SELECT t.number
    FROM conversation_turn AS t
    WHERE t.answered_at < $1
        AND NOT EXISTS (
            SELECT 1
            FROM conversation_turn AS n
            WHERE n.user_id = t.user_id AND n.conversation = t.conversation AND n.answered_at >= $1
        )
    ORDER BY t.answered_at
    LIMIT $2
)
RETURNING number
