-- Endpoints of webhooks and their deliveries. A NULL for the owner means any.

-- name: webhook_endpoint_create
SELECT state, id FROM create_webhook_endpoint($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: webhook_endpoint_list
SELECT e.number, e.id, e.user_id, e.url, e.events, e.description, e.secrets, e.enabled, e.disabled_because, e.created_at,
    e.failing_since, e.last_success_at, e.last_failure_at, e.last_failure_status, e.last_failure_error
FROM webhook_endpoint AS e
WHERE $1::bigint IS NULL OR e.user_id = $1
ORDER BY e.number DESC
LIMIT $2

-- name: webhook_endpoint_get
SELECT e.number, e.id, e.user_id, e.url, e.events, e.description, e.secrets, e.enabled, e.disabled_because, e.created_at,
    e.failing_since, e.last_success_at, e.last_failure_at, e.last_failure_status, e.last_failure_error
FROM webhook_endpoint AS e
WHERE e.id = $1 AND ($2::bigint IS NULL OR e.user_id = $2)

-- name: webhook_endpoint_change
SELECT FROM change_webhook_endpoint($1, $2, $3, $4, $5, $6, $7, $8)

-- name: webhook_secrets_replace
-- Replaces the secrets $4 by $5 at $1, once.
WITH changed AS (
    UPDATE webhook_endpoint SET secrets = $5 WHERE id = $2 AND user_id = $3 AND secrets = $4 RETURNING id
),
written AS (
    SELECT write_audit($1, $6) FROM changed WHERE $6::text IS NOT NULL
)
SELECT id FROM changed WHERE (SELECT count(*) FROM written) >= 0
UNION
SELECT id FROM webhook_endpoint WHERE id = $2 AND user_id = $3 AND secrets = $5

-- name: webhook_endpoint_delete
WITH gone AS (
    DELETE FROM webhook_endpoint WHERE id = $2 AND user_id = $3 RETURNING number, id
),
deliveries AS (
    DELETE FROM webhook_delivery AS d USING gone AS g WHERE d.endpoint = g.number
),
written AS (
    SELECT write_audit($1, $4) FROM gone WHERE $4::text IS NOT NULL
)
SELECT id FROM gone WHERE (SELECT count(*) FROM written) >= 0

-- name: webhook_test
-- Stores the test event $4 for an endpoint, once.
WITH added AS (
    INSERT INTO webhook_delivery (event, endpoint, user_id, type, at, status, next_at, changed_at)
    SELECT $4, e.number, e.user_id, 'webhook.test', t.now, CASE WHEN e.enabled THEN 'pending' ELSE 'held' END,
        CASE WHEN e.enabled THEN t.now END, t.now
    FROM webhook_endpoint AS e
    CROSS JOIN (SELECT coalesce($1::bigint, store_now()) AS now) AS t
    WHERE e.id = $2 AND ($3::bigint IS NULL OR e.user_id = $3)
    ON CONFLICT DO NOTHING
    RETURNING event
),
written AS (
    SELECT write_audit($1, $5) FROM added WHERE $5::text IS NOT NULL
)
SELECT event, false FROM added WHERE (SELECT count(*) FROM written) >= 0
UNION ALL
SELECT d.event, true
FROM webhook_endpoint AS e
JOIN webhook_delivery AS d ON d.event = $4 AND d.endpoint = e.number
WHERE e.id = $2 AND ($3::bigint IS NULL OR e.user_id = $3)

-- name: webhook_delivery_list
-- The deliveries to endpoints of $1 below number $2, newest first.
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.user_id = $1 AND d.number < $2
    AND ($4::text IS NULL OR e.id = $4) AND ($5::text IS NULL OR d.type = $5)
ORDER BY d.number DESC
LIMIT $3

-- name: webhook_delivery_list_of_status
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.user_id = $1 AND d.status = $6 AND d.number < $2
    AND ($4::text IS NULL OR e.id = $4) AND ($5::text IS NULL OR d.type = $5)
ORDER BY d.number DESC
LIMIT $3

-- name: webhook_delivery_list_of_job
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.job = $7 AND ($1::bigint IS NULL OR d.user_id = $1) AND d.number < $2
    AND ($4::text IS NULL OR e.id = $4) AND ($5::text IS NULL OR d.type = $5) AND ($6::text IS NULL OR d.status = $6)
ORDER BY d.number DESC
LIMIT $3

-- name: webhook_delivery_list_of_all
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.number < $2 AND ($1::bigint IS NULL OR d.user_id = $1)
    AND ($4::text IS NULL OR e.id = $4) AND ($5::text IS NULL OR d.type = $5) AND ($6::text IS NULL OR d.status = $6)
ORDER BY d.number DESC
LIMIT $3

-- name: webhook_replay
-- Delivers event $3 again, to its endpoints of $2 or only to $4. A try that is under way goes on; deliveries to
-- disabled endpoints stay.
WITH queued AS (
    UPDATE webhook_delivery AS d
    SET status = 'pending', next_at = t.now, lease = NULL, attempts = 0, changed_at = t.now
    FROM webhook_endpoint AS e, (SELECT coalesce($1::bigint, store_now()) AS now) AS t
    WHERE d.event = $3 AND e.number = d.endpoint AND e.enabled
        AND ($2::bigint IS NULL OR d.user_id = $2) AND ($4::text IS NULL OR e.id = $4)
        AND (d.lease IS NULL OR coalesce(d.next_at, 0) <= t.now)
    RETURNING d.number
),
written AS (
    SELECT write_audit($1, $5) WHERE $5::text IS NOT NULL AND EXISTS (SELECT FROM queued)
)
SELECT number FROM queued WHERE (SELECT count(*) FROM written) >= 0

-- name: webhook_known
SELECT 1::bigint
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.event = $1 AND ($2::bigint IS NULL OR d.user_id = $2) AND ($3::text IS NULL OR e.id = $3)
LIMIT 1

-- name: webhook_endpoint_replay
-- Delivers the events of endpoint $3 again that are $4 (statuses between commas) and happened from $5 until $6.
WITH queued AS (
    UPDATE webhook_delivery AS d
    SET status = 'pending', next_at = t.now, lease = NULL, attempts = 0, changed_at = t.now
    FROM webhook_endpoint AS e, (SELECT coalesce($1::bigint, store_now()) AS now) AS t
    WHERE e.id = $3 AND ($2::bigint IS NULL OR e.user_id = $2) AND e.enabled
        AND d.user_id = e.user_id AND d.endpoint = e.number AND d.status = ANY (string_to_array($4, ','))
        AND d.at >= $5 AND d.at < $6 AND (d.lease IS NULL OR coalesce(d.next_at, 0) <= t.now)
    RETURNING d.number
),
written AS (
    SELECT write_audit($1, $7) WHERE $7::text IS NOT NULL AND EXISTS (SELECT FROM queued)
)
SELECT number FROM queued WHERE (SELECT count(*) FROM written) >= 0

-- name: webhook_due
SELECT 1::bigint FROM webhook_delivery WHERE status = 'pending' AND next_at <= $1 LIMIT 1

-- name: webhook_claim
SELECT FROM claim_webhooks($1, $2, $3, $4, $5, $6)

-- name: webhook_claimed
SELECT d.number, d.event, e.number, e.id, e.url, e.secrets, d.type, d.job, d.kind, d.about, a.subject, d.error_code,
    d.credits, d.job_created_at, d.at, d.attempts, d.tries
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
LEFT JOIN account AS a ON a.id = d.about
WHERE d.lease = $1 AND d.lease IS NOT NULL AND d.status = 'pending'
ORDER BY d.next_at, d.number

-- name: webhook_finish
SELECT id, disabled_because FROM finish_webhook($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: webhook_release
UPDATE webhook_delivery
SET lease = NULL, next_at = CASE status WHEN 'pending' THEN coalesce($1::bigint, store_now()) END
WHERE number = $2 AND lease = $3

-- name: webhook_deliveries_delete
DELETE FROM webhook_delivery
WHERE number IN (
    SELECT number FROM webhook_delivery WHERE changed_at < $1 AND status <> 'pending' ORDER BY changed_at LIMIT $2
    FOR UPDATE SKIP LOCKED
)
RETURNING number
