-- Model calls and their costs in millionths of a dollar.

-- name: model_call_get
SELECT user, free, created_at, cost_micro_dollars FROM model_call WHERE id = ?1

-- name: model_call_insert
INSERT INTO model_call (
    id, job, user, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at, ended_at, least_output_tokens,
    least_cost_micro_dollars, cache_write_1h_tokens, prompt, list_micro_dollars, write_micro_dollars, interactive,
    waited_ms, first_byte_ms, first_content_ms, longest_gap_ms, cache_marks, hedge_of, simulated,
    error_code, error_message, provider_request_id
)
VALUES (
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, CASE WHEN ?9 <> 'running' THEN ?16 END, ?17,
    ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33
)

-- name: model_call_settle
-- A row takes a better knowledge and keeps it, and a call that was closed for a dead process takes what that process
-- knew after all.
UPDATE model_call
SET state = ?2, certainty = ?3, input_tokens = ?4, output_tokens = ?5, cache_read_tokens = ?6,
    cache_write_tokens = ?7, cost_micro_dollars = ?8, ended_at = ?9, least_output_tokens = NULL,
    least_cost_micro_dollars = NULL, cache_write_1h_tokens = ?10, prompt = coalesce(?11, prompt),
    list_micro_dollars = ?12, write_micro_dollars = ?13, interactive = ?14, waited_ms = ?15, first_byte_ms = ?16,
    first_content_ms = ?17, longest_gap_ms = ?18, cache_marks = ?19, simulated = max(simulated, ?20),
    error_code = ?21, error_message = ?22, provider_request_id = ?23
WHERE id = ?1 AND (state = 'running' OR certainty < ?3 OR (state = 'cut' AND certainty = ?3))

-- name: model_call_correct
UPDATE model_call
SET certainty = ?2, input_tokens = ?3, output_tokens = ?4, cache_read_tokens = ?5, cache_write_tokens = ?6,
    cost_micro_dollars = ?7, cache_write_1h_tokens = ?8, heard_at = ?9
WHERE id = ?1 AND state = 'running'

-- name: model_calls_abandoned
-- The cost is that of the call's end: a call of whose answer nothing is known ends at its least use.
SELECT
    m.id, m.user, m.free, m.created_at, m.cost_micro_dollars,
    CASE WHEN m.certainty = 0 THEN coalesce(m.least_cost_micro_dollars, m.cost_micro_dollars)
        ELSE m.cost_micro_dollars END
FROM model_call AS m
WHERE m.state = 'running'
    -- A booking by batch ends with its line.
    AND m.service_tier = 'standard'
    AND NOT EXISTS (SELECT * FROM job AS j WHERE j.id = m.job AND j.epoch = m.epoch AND j.status = 'processing')
LIMIT ?1

-- name: model_call_close
UPDATE model_call
SET state = 'cut', ended_at = ?2, cost_micro_dollars = ?3,
    output_tokens = CASE WHEN certainty = 0 THEN coalesce(least_output_tokens, output_tokens) ELSE output_tokens END,
    least_output_tokens = NULL, least_cost_micro_dollars = NULL
WHERE id = ?1

-- name: calls_of_last_hour
SELECT count(*), coalesce(sum(cost_micro_dollars), 0) FROM model_call WHERE created_at > ?1 AND state <> 'running'

-- name: hedges_used
-- The number of hedges, and what the losers have cost. While a hedge runs, the dearer of both calls may lose.
SELECT
    count(*),
    coalesce(
        sum(
            CASE
                WHEN h.state = 'running' THEN max(h.cost_micro_dollars, coalesce(f.cost_micro_dollars, 0))
                WHEN f.state = 'hedge_lost' THEN f.cost_micro_dollars
                WHEN h.state = 'ok' THEN 0
                ELSE h.cost_micro_dollars
            END),
        0)
FROM model_call AS h
LEFT JOIN model_call AS f ON f.id = h.hedge_of
WHERE h.hedge_of IS NOT NULL AND h.created_at > ?1

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

-- name: model_call_delete_old
DELETE FROM model_call
WHERE id IN (SELECT id FROM model_call WHERE created_at < ?1 AND state <> 'running' ORDER BY created_at LIMIT ?2)

-- name: model_costs
-- Days are in their order, other groups by their cost.
SELECT
    CASE ?2
        WHEN 'day' THEN strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')
        WHEN 'kind' THEN kind
        WHEN 'model' THEN provider || '/' || model
        WHEN 'user' THEN CAST(user AS TEXT)
        WHEN 'plan' THEN CAST(user AS TEXT)
        WHEN 'job' THEN job
        WHEN 'bundle' THEN coalesce(
            (
                SELECT coalesce((SELECT n.bundle FROM bundle_number AS n WHERE n.number = j.bundle_number), j.bundle)
                FROM job AS j
                WHERE j.id = model_call.job
            ),
            '')
        ELSE coalesce(prompt, '')
    END,
    count(*), sum(input_tokens + cache_read_tokens + cache_write_tokens), sum(output_tokens),
    sum(cost_micro_dollars),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('failed', 'stalled', 'cut')), 0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE state IN ('cancelled', 'hedge_lost')), 0),
    sum(cache_read_tokens), count(cache_marks),
    coalesce(
        sum(
            list_micro_dollars
            - CASE service_tier WHEN 'batch' THEN 2 * cost_micro_dollars ELSE cost_micro_dollars END),
        0),
    coalesce(sum(cost_micro_dollars) FILTER (WHERE service_tier = 'batch'), 0), sum(simulated)
FROM model_call
WHERE created_at >= ?1 AND created_at < ?3 AND state <> 'running'
GROUP BY 1
ORDER BY CASE ?2 WHEN 'day' THEN 0 ELSE -sum(cost_micro_dollars) END, 1
