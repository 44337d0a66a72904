SELECT
    CAST(user AS TEXT), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY user
ORDER BY user
