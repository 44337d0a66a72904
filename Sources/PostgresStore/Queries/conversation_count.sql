SELECT count(DISTINCT conversation) FROM conversation_turn WHERE user_id = $1::bigint
