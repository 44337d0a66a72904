-- What operators ask about model calls and batches.

-- name: model_call_sums
-- A price by batch is half of the price: such a call has saved as much as it cost.
SELECT
    m.provider, m.model, m.state::text, m.service_tier::text, m.hedge_of IS NOT NULL, count(*), sum(m.input_tokens)::bigint, sum(m.output_tokens)::bigint,
    sum(m.cache_read_tokens)::bigint, sum(m.cache_write_tokens - m.cache_write_1h_tokens)::bigint,
    sum(m.cache_write_1h_tokens)::bigint, sum(m.cost_micro_dollars)::bigint,
    coalesce(
        sum(
            m.list_micro_dollars
            - CASE m.service_tier WHEN 'batch' THEN 2 * m.cost_micro_dollars ELSE m.cost_micro_dollars END),
        0)::bigint,
    sum(CASE m.service_tier WHEN 'batch' THEN m.cost_micro_dollars ELSE 0 END)::bigint
FROM model_call AS m
WHERE m.created_at >= $1::bigint AND m.state <> 'running'
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5

-- name: model_durations
-- The buckets are those of `ModelDurations.bounds`.
SELECT d.provider, d.model, d.series, d.interactive, d.bucket, count(*), sum(d.ms)::bigint
FROM (
    SELECT d.provider, d.model, d.series, d.interactive, d.ms,
        CASE
            WHEN d.ms <= 100 THEN 0
            WHEN d.ms <= 250 THEN 1
            WHEN d.ms <= 500 THEN 2
            WHEN d.ms <= 1000 THEN 3
            WHEN d.ms <= 2500 THEN 4
            WHEN d.ms <= 5000 THEN 5
            WHEN d.ms <= 10000 THEN 6
            WHEN d.ms <= 20000 THEN 7
            WHEN d.ms <= 30000 THEN 8
            WHEN d.ms <= 60000 THEN 9
            WHEN d.ms <= 180000 THEN 10
            ELSE 11
        END AS bucket
    FROM (
        SELECT
            m.provider, m.model, m.interactive, s.series,
            CASE s.series
                WHEN 'first_byte' THEN m.first_byte_ms
                WHEN 'first_content' THEN m.first_content_ms
                ELSE m.waited_ms
            END AS ms
        FROM model_call AS m
        CROSS JOIN (
            SELECT 'first_byte' AS series UNION ALL SELECT 'first_content' UNION ALL SELECT 'wait'
        ) AS s
        WHERE m.created_at >= $1::bigint AND m.state <> 'running'
    ) AS d
    WHERE d.ms IS NOT NULL
) AS d
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5

-- name: model_latencies
SELECT latest.provider, latest.model, latest.first_byte_ms, latest.first_content_ms, latest.longest_gap_ms
FROM (
    SELECT m.*, row_number() OVER (PARTITION BY m.provider, m.model ORDER BY m.created_at DESC) AS place
    FROM model_call AS m
    WHERE m.created_at >= $1::bigint AND m.state = 'ok' AND m.first_byte_ms IS NOT NULL
) AS latest
WHERE latest.place <= 200
ORDER BY latest.provider, latest.model, latest.place

-- name: marked_calls
SELECT
    m.id, m.created_at, m.provider || '/' || m.model, m.prompt, m.kind, m.user_id, m.job, m.cache_marks,
    m.write_micro_dollars, m.cache_write_1h_tokens
FROM model_call AS m
WHERE m.created_at >= $1::bigint AND (m.created_at, m.id) > ($2::bigint, $3::text) AND m.cache_marks IS NOT NULL
    AND m.state <> 'running'
ORDER BY m.created_at, m.id
LIMIT $4::bigint

-- name: batch_counts
SELECT provider, model, state, count(*)
FROM model_batch
WHERE due_at IS NOT NULL
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3

-- name: batch_durations
SELECT provider, model, collected_at - first_line_at
FROM model_batch
WHERE collected_at >= $1::bigint
ORDER BY collected_at DESC
LIMIT 10000
