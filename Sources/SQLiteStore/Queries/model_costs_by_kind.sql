SELECT
    kind, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY 1
ORDER BY 5 DESC, 1
