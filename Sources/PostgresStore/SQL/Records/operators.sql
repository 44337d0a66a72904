-- Workers, as operators see them.

-- name: worker_records
-- The workers below number $1, newest first, or worker $3. The last sign of one is as old as its distance on the
-- fleet's clock.
SELECT w.number, w.id, w.host, w.process_id, w.started_at, f.observed_at - (f.elapsed - w.heard_at),
    w.drained_at IS NOT NULL, w.concurrency, w.abilities, (SELECT count(*) FROM lease AS l WHERE l.worker = w.number),
    (
        SELECT string_agg(h.id, ',')
        FROM (
            SELECT replace(j.id::text, '-', '') AS id
            FROM lease AS l
            JOIN job AS j ON j.number = l.job
            WHERE l.worker = w.number
            ORDER BY l.job
            LIMIT 1000
        ) AS h
    ),
    w.version
FROM worker AS w
CROSS JOIN fleet_clock AS f
WHERE w.number < $1 AND ($3::text IS NULL OR w.id = $3)
ORDER BY w.number DESC
LIMIT $2

-- name: worker_drain
-- Sets ($2 is 1) or ends the drain of worker $3 at $1.
WITH changed AS (
    UPDATE worker SET drained_at = CASE $2::bigint WHEN 1 THEN coalesce($1::bigint, store_now()) END
    WHERE id = $3 AND (drained_at IS NULL) = ($2::bigint = 1)
    RETURNING id
)
SELECT write_audit($1, $4) FROM changed WHERE $4::text IS NOT NULL

-- name: worker_set_abilities
-- Writes what worker $1 can run ($2), and whether that leaves jobs to others ($3 is 1).
UPDATE worker SET abilities = $2, is_partial = $3::bigint = 1 WHERE id = $1

-- name: worker_is_draining
SELECT 1::bigint FROM worker WHERE id = $1 AND drained_at IS NOT NULL

-- name: operator_jobs
-- The matching jobs among those next below place $1, at most $2 of them, that $3 and user $4 select. $5 is a list of
-- statuses, $14 has the patterns of words.
SELECT v.*
FROM (
    -- In their order, so that the view is read for the rows of the page alone.
    SELECT n.number
    FROM (
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'all' AND number < $1::bigint
            ORDER BY number DESC LIMIT $2::bigint
        ) AS all_jobs
        UNION ALL
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'failed' AND number < $1::bigint AND status = 'failed'
            ORDER BY number DESC LIMIT $2::bigint
        ) AS failed_jobs
        UNION ALL
        SELECT number FROM (
            SELECT job AS number FROM lease
            WHERE $3::text = 'running' AND job < $1::bigint
            ORDER BY job DESC LIMIT $2::bigint
        ) AS running_jobs
        UNION ALL
        SELECT number FROM (
            SELECT u.number FROM unfinished_jobs() AS u (number)
            WHERE $3::text = 'unfinished' AND u.number < $1::bigint
            ORDER BY u.number DESC LIMIT $2::bigint
        ) AS unfinished_jobs
        UNION ALL
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'user' AND number < $1::bigint AND user_id = $4::bigint
            ORDER BY id DESC LIMIT $2::bigint
        ) AS user_jobs
    ) AS n
    ORDER BY n.number DESC
    OFFSET 0
) AS e
-- What the row of a job tells by itself comes first: the view reads several tables. A subscriber has the state of another.
CROSS JOIN LATERAL (
    SELECT 1
    FROM job AS b
    WHERE b.number = e.number AND ($6::text IS NULL OR b.kind = $6::text)
        AND ($5::text IS NULL OR b.subscribed_to IS NOT NULL OR strpos($5, b.status::text) > 0)
        AND ($7::text IS NULL OR coalesce(b.queue, 'background')::text = $7::text)
        AND ($8::text IS NULL OR b.subscribed_to IS NOT NULL OR b.error_code = $8::text)
        AND ($11::bigint IS NULL OR b.created_at >= $11::bigint)
        AND ($12::bigint IS NULL OR b.created_at < $12::bigint)
        AND (' ' || coalesce(b.subject, '')) ~ ALL (ARRAY(SELECT jsonb_array_elements_text($14::text::jsonb)))
    OFFSET 0
) AS w
CROSS JOIN LATERAL (SELECT * FROM operator_job WHERE operator_job.number = e.number OFFSET 0) AS v
WHERE ($5::text IS NULL OR strpos($5, v.status) > 0) AND ($6::text IS NULL OR v.kind = $6::text)
    AND ($7::text IS NULL OR v.queue = $7::text) AND ($8::text IS NULL OR v.error_code = $8::text)
    AND ($9::text IS NULL OR v.bundle = $9::text) AND ($10::text IS NULL OR v.worker = $10::text)
    AND ($11::bigint IS NULL OR v.created_at >= $11::bigint) AND ($12::bigint IS NULL OR v.created_at < $12::bigint)
    AND ($4::bigint IS NULL OR v.user_id = $4::bigint)
ORDER BY e.number DESC
LIMIT $13::bigint

-- name: operator_jobs_floor
-- The lowest place among those that `operator_jobs` looks at, their number, and the submit of the job at that place.
SELECT f.floor, f.looked, (SELECT j.created_at FROM job AS j WHERE j.number = f.floor)
FROM (
    SELECT min(e.number) AS floor, count(*) AS looked
    FROM (
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'all' AND number < $1::bigint
            ORDER BY number DESC LIMIT $2::bigint
        ) AS all_jobs
        UNION ALL
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'failed' AND number < $1::bigint AND status = 'failed'
            ORDER BY number DESC LIMIT $2::bigint
        ) AS failed_jobs
        UNION ALL
        SELECT number FROM (
            SELECT job AS number FROM lease
            WHERE $3::text = 'running' AND job < $1::bigint
            ORDER BY job DESC LIMIT $2::bigint
        ) AS running_jobs
        UNION ALL
        SELECT number FROM (
            SELECT u.number FROM unfinished_jobs() AS u (number)
            WHERE $3::text = 'unfinished' AND u.number < $1::bigint
            ORDER BY u.number DESC LIMIT $2::bigint
        ) AS unfinished_jobs
        UNION ALL
        SELECT number FROM (
            SELECT number AS number FROM job
            WHERE $3::text = 'user' AND number < $1::bigint AND user_id = $4::bigint
            ORDER BY id DESC LIMIT $2::bigint
        ) AS user_jobs
    ) AS e
) AS f

-- name: operator_job
SELECT * FROM operator_job WHERE id = $1

-- name: operator_job_history
-- The events of job $1, and the worker that ran it last.
SELECT j.history, (SELECT w.id FROM worker_name AS w WHERE w.number = j.worker) FROM job AS j WHERE j.id = $1

-- name: unfinished_jobs_up_to
SELECT count(*) FROM (SELECT 1 FROM unfinished_jobs() LIMIT $1::bigint) AS u

-- name: jobs_ahead
-- The ready jobs of its lane before job $1, at most $2 of them.
SELECT count(*)
FROM (
    SELECT 1
    FROM job AS j
    JOIN ready AS m ON m.queue = j.queue AND m.user_id = j.user_id AND m.priority = j.priority AND m.job = j.number
    JOIN ready AS o ON o.queue = m.queue AND (o.position, o.job) < (m.position, m.job)
    WHERE j.number = $1::bigint
    LIMIT $2::bigint
) AS a

-- name: operator_model_calls
SELECT
    m.id, m.epoch, m.provider, m.model, m.state::text, m.certainty::bigint, m.input_tokens, m.output_tokens, m.cache_read_tokens,
    m.cache_write_tokens, m.cost_micro_dollars, m.created_at, m.first_content_ms, m.ended_at, m.heard_at,
    m.hedge_of IS NOT NULL, m.simulated, m.error_code, m.error_message, m.provider_request_id
FROM model_call AS m
WHERE m.job = $1
ORDER BY m.created_at, m.id
LIMIT $2::bigint

-- name: provider_of_last_failure
-- The provider whose failed call is the error of job $1.
SELECT m.provider
FROM model_call AS m
JOIN job AS j ON j.id = m.job
WHERE m.job = $1 AND m.state NOT IN ('running', 'ok') AND m.error_message = j.error_message
ORDER BY m.created_at DESC
LIMIT 1

-- name: shared_job_of
-- The job to which job $1 subscribes.
SELECT s.id FROM job AS j JOIN job AS s ON s.number = j.subscribed_to WHERE j.id = $1

-- name: permits_of_user
-- The permits of kind $1 that jobs of user $2 have.
SELECT taken FROM user_concurrency WHERE kind = $1 AND user_id = $2::bigint

-- name: fleet_queues
-- For each queue: the running jobs, and the time of the oldest ready one.
SELECT l.queue::text, sum(l.running)::bigint, min(l.oldest)
FROM (
    SELECT q.queue, 0 AS running, (
        SELECT j.created_at FROM job AS j WHERE j.number = (
            SELECT r.job FROM ready AS r WHERE r.queue = q.queue::queue ORDER BY r.position, r.job LIMIT 1)) AS oldest
    FROM (SELECT 'interactive' AS queue UNION ALL SELECT 'background') AS q
    UNION ALL
    SELECT j.queue::text, count(*), NULL FROM lease AS l JOIN ONLY job AS j ON j.number = l.job GROUP BY j.queue
) AS l
GROUP BY l.queue

-- name: pending_by_queue
-- For each queue: the ready jobs, scheduled ones whose time has come at $1 among them, the other scheduled ones, those that
-- wait for a permit, and those behind another job of their key. Each of them is read.
SELECT l.queue::text, sum(l.ready)::bigint, sum(l.scheduled)::bigint, sum(l.waiting)::bigint, sum(l.blocked)::bigint
FROM (
    SELECT r.queue, count(*) AS ready, 0 AS scheduled, 0 AS waiting, 0 AS blocked FROM ready AS r GROUP BY r.queue
    UNION ALL
    SELECT j.queue, count(*) FILTER (WHERE s.run_at <= $1::bigint), count(*) FILTER (WHERE s.run_at > $1::bigint), 0, 0
    FROM scheduled AS s
    JOIN ONLY job AS j ON j.number = s.job
    GROUP BY j.queue
    UNION ALL
    SELECT j.queue, 0, 0, count(*), 0 FROM waiting AS w JOIN ONLY job AS j ON j.number = w.job GROUP BY j.queue
    UNION ALL
    SELECT j.queue, 0, 0, 0, count(*)
    FROM serialized_job AS k
    JOIN ONLY job AS j ON j.number = k.job
    WHERE NOT k.holds
    GROUP BY j.queue
) AS l
GROUP BY l.queue

-- name: ended_jobs
-- The jobs that ended since $1, by the ten seconds of their end, status and the code of their errors. Archived jobs, from
-- id $2 on, are read only where some of them ended before $3.
SELECT * FROM ended_since($1::bigint)
UNION ALL
SELECT completed_at / 10000, status::text, coalesce(error_code, ''), count(*)
FROM finished_job
WHERE $1::bigint < $3::bigint AND id >= $2 AND completed_at >= $1::bigint
GROUP BY 1, 2, 3

-- name: fleet_money
-- The held credits, and what the service has spent on day $1.
SELECT
    (SELECT coalesce(sum(b.held), 0)::bigint FROM balance AS b WHERE b.held > 0),
    (SELECT coalesce(sum(s.micro_dollars), 0)::bigint FROM service_spend AS s WHERE s.day = $1::bigint)

-- name: fleet_pickups
-- How long jobs that were ready at once waited for their first claim, of those since $1 among the latest.
SELECT j.started_at - j.created_at
FROM (SELECT * FROM ONLY job ORDER BY number DESC LIMIT 2000) AS j
WHERE j.created_at >= $1::bigint AND j.epoch > 0 AND j.started_at IS NOT NULL AND j.history IS NULL

-- name: provider_signs
-- For each provider, the last success and the last error of calls since $1, and the failures after that success.
SELECT
    p.provider, p.succeeded_at, e.code, e.error_message, e.ended_at, (
        SELECT count(*)
        FROM model_call AS f
        WHERE f.created_at >= $1::bigint AND f.provider = p.provider
            AND f.state IN ('failed', 'stalled', 'cut') AND f.ended_at > coalesce(p.succeeded_at, 0)
    )
FROM (
    SELECT m.provider, max(CASE WHEN m.state = 'ok' THEN m.ended_at END) AS succeeded_at
    FROM model_call AS m
    WHERE m.created_at >= $1::bigint AND m.state <> 'running'
    GROUP BY m.provider
) AS p
LEFT JOIN (
    SELECT
        m.provider, coalesce(m.error_code, m.state::text) AS code, m.error_message, m.ended_at,
        row_number() OVER (PARTITION BY m.provider ORDER BY m.created_at DESC, m.id DESC) AS place
    FROM model_call AS m
    WHERE m.created_at >= $1::bigint AND m.state IN ('failed', 'stalled', 'cut')
) AS e ON e.provider = p.provider AND e.place = 1

-- name: running_calls
SELECT m.provider, count(*), min(coalesce(m.heard_at, m.created_at))
FROM model_call AS m
WHERE m.state = 'running'
GROUP BY m.provider
ORDER BY m.provider

-- name: bundle_list
-- Bundles after the place $1, $2, newest first, with the unfinished jobs of each.
SELECT b.hash, b.created_at, b.hash = coalesce((SELECT c.hash FROM current_bundle AS c), ''), coalesce(u.jobs, 0)
FROM bundle AS b
LEFT JOIN (
    SELECT j.bundle, count(*) AS jobs
    FROM unfinished_jobs() AS n (number)
    JOIN ONLY job AS j ON j.number = n.number
    GROUP BY j.bundle
) AS u ON u.bundle = b.hash
WHERE b.created_at < $1::bigint OR (b.created_at = $1::bigint AND b.hash < $2::text)
ORDER BY b.created_at DESC, b.hash DESC
LIMIT $3::bigint
