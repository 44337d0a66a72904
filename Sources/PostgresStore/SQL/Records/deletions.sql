-- Deletions of single things at the wish of their user.

-- name: job_delete
SELECT delete_job($1, $2, $3)

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
