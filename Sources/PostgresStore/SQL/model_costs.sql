-- Costs of model calls, in millionths of a dollar.

-- name: model_spend
SELECT coalesce(sum(cost_micro_dollars), 0)::bigint FROM model_call WHERE user_id = $1 AND created_at >= $2

-- name: model_costs_by_day
SELECT
    to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY 1
ORDER BY 1

-- name: model_costs_by_kind
SELECT
    kind, count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY kind
ORDER BY 5 DESC, 1

-- name: model_costs_by_model
SELECT
    provider || '/' || model, count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_user
SELECT
    user_id::text, count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint
FROM model_call
WHERE created_at >= $1
GROUP BY user_id
ORDER BY user_id
