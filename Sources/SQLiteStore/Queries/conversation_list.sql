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
