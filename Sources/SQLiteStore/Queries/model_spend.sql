SELECT coalesce(sum(cost_micro_dollars), 0) FROM model_call WHERE user = ?1 AND created_at >= ?2
