INSERT INTO conversation_turn (job, user_id, conversation, subject, question, answer, citations, asked_at, answered_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (job) DO NOTHING
