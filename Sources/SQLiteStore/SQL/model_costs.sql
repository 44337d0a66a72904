-- Model calls and their costs in millionths of a dollar.

-- name: model_call_get
SELECT user, free, created_at, cost_micro_dollars FROM model_call WHERE id = ?1

-- name: model_call_insert
INSERT INTO model_call (
    id, job, user, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at, ended_at
)
VALUES (
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, CASE WHEN ?9 <> 'running' THEN ?16 END
)

-- name: model_call_settle
-- A row takes a better knowledge and keeps it.
UPDATE model_call
SET state = ?2, certainty = ?3, input_tokens = ?4, output_tokens = ?5, cache_read_tokens = ?6,
    cache_write_tokens = ?7, cost_micro_dollars = ?8, ended_at = ?9
WHERE id = ?1 AND (state = 'running' OR certainty < ?3 OR (state = 'cut' AND certainty = 0))

-- name: model_calls_close
UPDATE model_call
SET state = 'cut', ended_at = ?1
WHERE id IN (
    SELECT m.id
    FROM model_call AS m
    WHERE m.state = 'running'
        AND NOT EXISTS (SELECT * FROM job AS j WHERE j.id = m.job AND j.epoch = m.epoch AND j.status = 'processing')
    LIMIT ?2
)

-- name: job_billed_user_set
UPDATE job SET billed_user = ?2 WHERE number = ?1

-- name: job_billed_user
SELECT coalesce(billed_user, user), kind, cost = 0, epoch, status = 'processing' FROM job WHERE id = ?1

-- name: user_spend_get
SELECT micro_dollars FROM user_spend WHERE day = ?1 AND user = ?2

-- name: service_spend_get
SELECT micro_dollars, free_micro_dollars FROM service_spend WHERE day = ?1

-- name: user_spend_add
INSERT INTO user_spend (day, user, micro_dollars)
VALUES (?1, ?2, ?3)
ON CONFLICT (day, user) DO UPDATE SET micro_dollars = micro_dollars + excluded.micro_dollars

-- name: service_spend_add
INSERT INTO service_spend (day, micro_dollars, free_micro_dollars)
VALUES (?1, ?2, ?3)
ON CONFLICT (day) DO UPDATE
SET micro_dollars = micro_dollars + excluded.micro_dollars,
    free_micro_dollars = free_micro_dollars + excluded.free_micro_dollars

-- name: user_spend_forget
DELETE FROM user_spend WHERE day < ?1

-- name: service_spend_forget
DELETE FROM service_spend WHERE day < ?1

-- name: model_spend
SELECT coalesce(sum(cost_micro_dollars), 0) FROM model_call WHERE user = ?1 AND created_at >= ?2

-- name: model_costs_by_day
SELECT
    strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)
FROM model_call
WHERE created_at >= ?1 AND state <> 'running'
GROUP BY 1
ORDER BY 1

-- name: model_costs_by_kind
SELECT
    kind, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)
FROM model_call
WHERE created_at >= ?1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_model
SELECT
    provider || '/' || model, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)
FROM model_call
WHERE created_at >= ?1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_costs_by_user
SELECT
    CAST(user AS TEXT), count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)
FROM model_call
WHERE created_at >= ?1 AND state <> 'running'
GROUP BY 1
ORDER BY min(user)

-- name: model_costs_by_job
SELECT
    job, count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state = 'cancelled'), 0)
FROM model_call
WHERE created_at >= ?1 AND state <> 'running'
GROUP BY 1
ORDER BY 5 DESC, 1

-- name: model_call_delete_old
DELETE FROM model_call
WHERE id IN (SELECT id FROM model_call WHERE created_at < ?1 AND state <> 'running' ORDER BY created_at LIMIT ?2)
