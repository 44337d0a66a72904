-- Costs of model calls, in millionths of a dollar.

-- name: begin_model_calls
SELECT * FROM begin_model_calls(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)

-- name: correct_model_calls
SELECT correct_model_calls($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: settle_model_calls
SELECT settle_model_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)

-- name: close_abandoned_calls
SELECT close_abandoned_calls($1, $2)

-- name: spend_of_day
SELECT s.micro_dollars, s.service_micro_dollars, s.free_micro_dollars, s.day_end FROM spend_of_day($1, $2) AS s

-- name: calls_of_last_hour
SELECT c.calls, c.micro_dollars FROM calls_of_last_hour($1) AS c

-- name: set_billed_users
SELECT set_billed_users($1, $2)

-- name: model_spend
SELECT coalesce(sum(cost_micro_dollars), 0)::bigint FROM model_call WHERE user_id = $1 AND created_at >= $2

-- name: model_costs
-- Days are in their order, other groups by their cost.
SELECT
    CASE $2::text
        WHEN 'day' THEN to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')
        WHEN 'kind' THEN kind
        WHEN 'model' THEN provider || '/' || model
        WHEN 'user' THEN user_id::text
        WHEN 'plan' THEN user_id::text
        WHEN 'bundle' THEN coalesce(
            (
                SELECT coalesce(j.bundle, (SELECT n.bundle FROM bundle_number AS n WHERE n.number = j.bundle_number))
                FROM job AS j
                WHERE j.id = model_call.job
            ),
            '')
        WHEN 'job' THEN job::text
        ELSE coalesce(prompt, '')
    END,
    count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens)::bigint, sum(output_tokens)::bigint,
    sum(cost_micro_dollars)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('cancelled', 'hedge_lost')), 0)::bigint,
    sum(cache_read_tokens)::bigint, count(cache_marks),
    coalesce(
        sum(
            list_micro_dollars
            - CASE service_tier WHEN 'batch' THEN 2 * cost_micro_dollars ELSE cost_micro_dollars END),
        0)::bigint,
    coalesce(sum(cost_micro_dollars) FILTER (WHERE service_tier = 'batch'), 0)::bigint,
    count(*) FILTER (WHERE simulated)
FROM model_call
WHERE created_at >= $1::bigint AND created_at < $3::bigint AND state <> 'running'
GROUP BY 1
ORDER BY CASE $2::text WHEN 'day' THEN 0 ELSE -sum(cost_micro_dollars) END, 1
