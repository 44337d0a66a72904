SELECT job, conversation, user_id, subject, question, answer, citations, asked_at, answered_at
FROM (
    SELECT * FROM conversation_turn WHERE user_id = $1::bigint AND conversation = $2::text ORDER BY number DESC LIMIT $3::bigint
) AS t
ORDER BY number
