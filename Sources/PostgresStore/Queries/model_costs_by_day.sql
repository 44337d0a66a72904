SELECT
    to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY 1
ORDER BY 1
