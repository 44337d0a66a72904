-- Model calls and their costs in millionths of a dollar.

-- name: model_call_insert
INSERT INTO model_call (
    id, job, user, kind, provider, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    cost_micro_dollars, created_at
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (id) DO NOTHING

-- name: model_spend
SELECT coalesce(sum(cost_micro_dollars), 0) FROM model_call WHERE user = ?1 AND created_at >= ?2

-- name: model_costs_by_day
SELECT
    strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'), count(*),
    sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens), sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY 1
ORDER BY 1

-- name: model_costs_by_kind
SELECT
    kind, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_model
SELECT
    provider || '/' || model, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_user
SELECT
    CAST(user AS TEXT), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars)
FROM model_call
WHERE created_at >= ?1
GROUP BY user
ORDER BY user
