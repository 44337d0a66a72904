-- Conversations: the turns of one user under one id.

-- name: conversation_turns
SELECT job, conversation, user_id, subject, question, answer, citations, asked_at, answered_at
FROM (SELECT * FROM conversation_turn WHERE user_id = ?1 AND conversation = ?2 ORDER BY number DESC LIMIT ?3)
ORDER BY number

-- name: conversation_list
SELECT c.conversation, f.subject, f.question, f.asked_at, c.answered_at, c.turns
FROM (
    SELECT conversation, min(number) AS first, max(answered_at) AS answered_at, count(*) AS turns
    FROM conversation_turn
    WHERE user_id = ?1
    GROUP BY conversation
) AS c
JOIN conversation_turn AS f ON f.number = c.first
ORDER BY c.answered_at DESC, c.first DESC
LIMIT ?2 OFFSET ?3

-- name: conversation_ids
SELECT DISTINCT conversation
FROM conversation_turn
WHERE user_id = ?1 AND conversation > ?2
ORDER BY conversation
LIMIT ?3

-- name: conversation_count
SELECT count(DISTINCT conversation) FROM conversation_turn WHERE user_id = ?1

-- name: record_conversation_turn
INSERT INTO conversation_turn (job, user_id, conversation, subject, question, answer, citations, asked_at, answered_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (job) DO NOTHING
