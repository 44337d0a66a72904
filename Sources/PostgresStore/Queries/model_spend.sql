SELECT coalesce(sum(cost_micro_dollars), 0)::bigint FROM model_call WHERE user_id = $1 AND created_at >= $2
