-- Costs of model calls, in millionths of a dollar.

-- name: begin_model_calls
SELECT * FROM begin_model_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: settle_model_calls
SELECT settle_model_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)

-- name: close_abandoned_calls
SELECT close_abandoned_calls($1, $2)

-- name: spend_of_day
SELECT s.micro_dollars, s.service_micro_dollars, s.free_micro_dollars, s.day_end FROM spend_of_day($1, $2) AS s

-- name: set_billed_users
SELECT set_billed_users($1, $2)

-- name: model_spend
SELECT coalesce(sum(cost_micro_dollars), 0)::bigint FROM model_call WHERE user_id = $1 AND created_at >= $2

-- name: model_costs_by_day
SELECT
    to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)::bigint
FROM model_call
WHERE created_at >= $1 AND state <> 'running'
GROUP BY 1
ORDER BY 1

-- name: model_costs_by_kind
SELECT
    kind, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)::bigint
FROM model_call
WHERE created_at >= $1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_model
SELECT
    provider || '/' || model, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)::bigint
FROM model_call
WHERE created_at >= $1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_user
SELECT
    user_id::text, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)::bigint
FROM model_call
WHERE created_at >= $1 AND state <> 'running'
GROUP BY 1
ORDER BY min(user_id)

-- name: model_costs_by_job
SELECT
    job::text, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)::bigint
FROM model_call
WHERE created_at >= $1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1
