SELECT
    user_id::text, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY user_id
ORDER BY user_id
