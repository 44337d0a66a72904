SELECT job, conversation, user_id, subject, question, answer, citations, asked_at, answered_at
FROM (SELECT * FROM conversation_turn WHERE user_id = ?1 AND conversation = ?2 ORDER BY number DESC LIMIT ?3)
ORDER BY number
