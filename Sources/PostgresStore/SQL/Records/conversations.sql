-- Conversations: the turns of one user under one id.

-- name: conversation_turns
SELECT job, conversation, user_id, subject, question, answer, citations, asked_at, answered_at
FROM (
    SELECT *
    FROM conversation_turn
    WHERE user_id = $1::bigint AND conversation = $2::text
    ORDER BY number DESC
    LIMIT $3::bigint
) AS t
ORDER BY number

-- name: conversation_list
SELECT c.conversation, f.subject, f.question, f.asked_at, c.answered_at, c.turns
FROM (
    SELECT conversation, min(number) AS first, max(answered_at) AS answered_at, count(*) AS turns
    FROM conversation_turn
    WHERE user_id = $1::bigint
    GROUP BY conversation
) AS c
JOIN conversation_turn AS f ON f.number = c.first
ORDER BY c.answered_at DESC, c.first DESC
LIMIT $2::bigint OFFSET $3::bigint

-- name: conversation_ids
SELECT DISTINCT conversation
FROM conversation_turn
WHERE user_id = $1::bigint AND conversation > $2::text
ORDER BY conversation
LIMIT $3::bigint

-- name: conversation_count
SELECT count(DISTINCT conversation) FROM conversation_turn WHERE user_id = $1::bigint
