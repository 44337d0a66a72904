SELECT user_id, items, generated_at FROM brief WHERE user_id = ANY ($1::bigint[]) ORDER BY user_id
