-- Endpoints of webhooks and their deliveries. A NULL for the owner means any.

-- name: webhook_endpoint_create
-- Stores an endpoint unless its owner has as many as ?10; the same key gives the endpoint that is there.
INSERT INTO webhook_endpoint (
    id, user, url, events, description, secrets, created_at, idempotency_key, idempotency_fingerprint)
SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?1, ?8, ?9
WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoint WHERE user = ?3 AND idempotency_key = ?8)
    AND (SELECT count(*) FROM webhook_endpoint WHERE user = ?3) < ?10;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?11 WHERE ?11 IS NOT NULL AND changes() > 0;
SELECT 'created', id FROM webhook_endpoint WHERE id = ?2
UNION ALL
SELECT CASE idempotency_fingerprint WHEN ?9 THEN 'existing' ELSE 'conflict' END, id
FROM webhook_endpoint
WHERE user = ?3 AND idempotency_key = ?8 AND id <> ?2
UNION ALL
SELECT 'full', NULL
LIMIT 1

-- name: webhook_endpoint_list
SELECT e.number, e.id, e.user, e.url, e.events, e.description, e.secrets, e.enabled, e.disabled_because, e.created_at,
    e.failing_since, e.last_success_at, e.last_failure_at, e.last_failure_status, e.last_failure_error
FROM webhook_endpoint AS e
WHERE ?1 IS NULL OR e.user = ?1
ORDER BY e.number DESC
LIMIT ?2

-- name: webhook_endpoint_get
SELECT e.number, e.id, e.user, e.url, e.events, e.description, e.secrets, e.enabled, e.disabled_because, e.created_at,
    e.failing_since, e.last_success_at, e.last_failure_at, e.last_failure_status, e.last_failure_error
FROM webhook_endpoint AS e
WHERE e.id = ?1 AND (?2 IS NULL OR e.user = ?2)

-- name: webhook_endpoint_change
-- Changes an endpoint; NULL leaves a member as it is. A disabled endpoint's open deliveries are held.
UPDATE webhook_endpoint
SET url = coalesce(?4, url),
    events = coalesce(?5, events),
    description = CASE WHEN ?6 IS NULL THEN description ELSE nullif(?6, '') END,
    failing_since = CASE WHEN ?7 = 1 AND enabled = 0 THEN NULL ELSE failing_since END,
    disabled_because = CASE ?7
        WHEN 1 THEN NULL
        WHEN 0 THEN coalesce(disabled_because, 'user')
        ELSE disabled_because
    END,
    disabled_at = CASE ?7 WHEN 1 THEN NULL WHEN 0 THEN coalesce(disabled_at, ?1) ELSE disabled_at END,
    enabled = coalesce(?7, enabled)
WHERE id = ?2 AND user = ?3;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?8 WHERE ?8 IS NOT NULL AND changes() > 0;
UPDATE webhook_delivery SET status = 'held', next_at = NULL, changed_at = ?1
WHERE status = 'pending'
    AND endpoint = (SELECT number FROM webhook_endpoint WHERE id = ?2 AND user = ?3 AND enabled = 0)

-- name: webhook_secrets_replace
-- Replaces the secrets ?4 by ?5 at ?1, once.
UPDATE webhook_endpoint SET secrets = ?5 WHERE id = ?2 AND user = ?3 AND secrets = ?4;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?6 WHERE ?6 IS NOT NULL AND changes() > 0;
SELECT id FROM webhook_endpoint WHERE id = ?2 AND user = ?3 AND secrets = ?5

-- name: webhook_endpoint_delete
DELETE FROM webhook_delivery
WHERE endpoint = (SELECT number FROM webhook_endpoint WHERE id = ?2 AND user = ?3);
DELETE FROM webhook_endpoint WHERE id = ?2 AND user = ?3
RETURNING id;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?4 WHERE ?4 IS NOT NULL AND changes() > 0

-- name: webhook_test
-- Stores the test event ?4 for an endpoint, once.
SELECT d.event, 1
FROM webhook_endpoint AS e
JOIN webhook_delivery AS d ON d.event = ?4 AND d.endpoint = e.number
WHERE e.id = ?2 AND (?3 IS NULL OR e.user = ?3);
INSERT INTO webhook_delivery (event, endpoint, user, type, at, status, next_at, changed_at)
SELECT ?4, e.number, e.user, 'webhook.test', ?1, CASE e.enabled WHEN 1 THEN 'pending' ELSE 'held' END,
    CASE e.enabled WHEN 1 THEN ?1 END, ?1
FROM webhook_endpoint AS e
WHERE e.id = ?2 AND (?3 IS NULL OR e.user = ?3)
ON CONFLICT DO NOTHING
RETURNING event, 0;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?5 WHERE ?5 IS NOT NULL AND changes() > 0

-- name: webhook_delivery_list
-- The deliveries to endpoints of ?1 below number ?2, newest first.
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.user = ?1 AND d.number < ?2
    AND (?4 IS NULL OR e.id = ?4) AND (?5 IS NULL OR d.type = ?5)
ORDER BY d.number DESC
LIMIT ?3

-- name: webhook_delivery_list_of_status
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.user = ?1 AND d.status = ?6 AND d.number < ?2
    AND (?4 IS NULL OR e.id = ?4) AND (?5 IS NULL OR d.type = ?5)
ORDER BY d.number DESC
LIMIT ?3

-- name: webhook_delivery_list_of_job
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.job = ?7 AND (?1 IS NULL OR d.user = ?1) AND d.number < ?2
    AND (?4 IS NULL OR e.id = ?4) AND (?5 IS NULL OR d.type = ?5) AND (?6 IS NULL OR d.status = ?6)
ORDER BY d.number DESC
LIMIT ?3

-- name: webhook_delivery_list_of_all
SELECT d.number, d.event, e.id, d.type, d.job, d.status, d.next_at, d.tries, d.at
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.number < ?2 AND (?1 IS NULL OR d.user = ?1)
    AND (?4 IS NULL OR e.id = ?4) AND (?5 IS NULL OR d.type = ?5) AND (?6 IS NULL OR d.status = ?6)
ORDER BY d.number DESC
LIMIT ?3

-- name: webhook_replay
-- Delivers event ?3 again, to its endpoints of ?2 or only to ?4. A try that is under way goes on; deliveries to
-- disabled endpoints stay.
UPDATE webhook_delivery
SET status = 'pending', next_at = ?1, lease = NULL, attempts = 0, changed_at = ?1
WHERE event = ?3 AND (?2 IS NULL OR user = ?2)
    AND endpoint IN (SELECT number FROM webhook_endpoint WHERE enabled = 1 AND (?4 IS NULL OR id = ?4))
    AND (lease IS NULL OR coalesce(next_at, 0) <= ?1)
RETURNING number;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?5 WHERE ?5 IS NOT NULL AND changes() > 0

-- name: webhook_known
SELECT 1
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.event = ?1 AND (?2 IS NULL OR d.user = ?2) AND (?3 IS NULL OR e.id = ?3)
LIMIT 1

-- name: webhook_endpoint_replay
-- Delivers the events of endpoint ?3 again that are ?4 (statuses between commas) and happened from ?5 until ?6.
UPDATE webhook_delivery
SET status = 'pending', next_at = ?1, lease = NULL, attempts = 0, changed_at = ?1
WHERE endpoint = (SELECT number FROM webhook_endpoint WHERE id = ?3 AND (?2 IS NULL OR user = ?2) AND enabled = 1)
    AND user = (SELECT user FROM webhook_endpoint WHERE id = ?3)
    AND instr(',' || ?4 || ',', ',' || status || ',') > 0
    AND at >= ?5 AND at < ?6 AND (lease IS NULL OR coalesce(next_at, 0) <= ?1)
RETURNING number;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?7 WHERE ?7 IS NOT NULL AND changes() > 0

-- name: webhook_due
SELECT 1 FROM webhook_delivery WHERE status = 'pending' AND next_at <= ?1 LIMIT 1

-- name: webhook_claim
-- Leases due deliveries to the claim ?2 until ?3 from now: at most ?5 at once for an endpoint and ?4 in all, from the
-- endpoint after ?6 on.
UPDATE webhook_delivery SET lease = ?2, next_at = ?1 + ?3
WHERE number IN (
    WITH RECURSIVE waiting (endpoint) AS (
        SELECT min(endpoint) FROM webhook_delivery WHERE status = 'pending'
        UNION ALL
        SELECT (SELECT min(d.endpoint) FROM webhook_delivery AS d WHERE d.status = 'pending' AND d.endpoint > w.endpoint)
        FROM waiting AS w
        WHERE w.endpoint IS NOT NULL
    ),
    open (endpoint, running) AS (
        SELECT e.number,
            (SELECT count(*) FROM webhook_delivery AS l WHERE l.endpoint = e.number AND l.lease IS NOT NULL AND l.next_at > ?1)
        FROM waiting AS w
        CROSS JOIN webhook_endpoint AS e ON e.number = w.endpoint
        WHERE e.enabled = 1
    )
    SELECT c.number
    FROM (
        SELECT d.number, d.endpoint, o.running + row_number() OVER (PARTITION BY d.endpoint ORDER BY d.next_at, d.number) AS place
        FROM open AS o
        CROSS JOIN webhook_delivery AS d ON d.number IN (
            SELECT p.number
            FROM webhook_delivery AS p
            WHERE p.endpoint = o.endpoint AND p.status = 'pending' AND p.next_at <= ?1
            ORDER BY p.next_at, p.number
            LIMIT ?5
        )
    ) AS c
    WHERE c.place <= ?5
    ORDER BY c.endpoint <= ?6, c.endpoint, c.place
    LIMIT ?4
)

-- name: webhook_claimed
SELECT d.number, d.event, e.number, e.id, e.url, e.secrets, d.type, d.job, d.kind, d.about, a.subject, d.error_code,
    d.credits, d.job_created_at, d.at, d.attempts, d.tries
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
LEFT JOIN account AS a ON a.id = d.about
WHERE d.lease = ?1 AND d.lease IS NOT NULL AND d.status = 'pending'
ORDER BY d.next_at, d.number

-- name: webhook_finish
-- Records a try of the claim ?3. ?4 is 'delivered', 'pending' for another try after ?5, or 'failed'; ?7 is 1 when the
-- endpoint is gone. Returns the id of the endpoint and the reason when this try disabled it.
SELECT e.id, CASE ?7 WHEN 1 THEN 'gone' ELSE 'failing' END
FROM webhook_delivery AS d
JOIN webhook_endpoint AS e ON e.number = d.endpoint
WHERE d.number = ?2 AND d.lease = ?3 AND ?4 <> 'delivered' AND e.enabled = 1
    AND (?7 = 1 OR coalesce(e.failing_since, ?1) <= ?1 - ?8);
UPDATE webhook_endpoint SET last_success_at = ?1, failing_since = NULL
WHERE ?4 = 'delivered' AND number = (SELECT endpoint FROM webhook_delivery WHERE number = ?2 AND lease = ?3);
UPDATE webhook_endpoint
SET failing_since = coalesce(failing_since, ?1), last_failure_at = ?1, last_failure_status = ?9,
    last_failure_error = ?10,
    disabled_because = CASE
        WHEN enabled = 0 THEN disabled_because
        WHEN ?7 = 1 THEN 'gone'
        WHEN coalesce(failing_since, ?1) <= ?1 - ?8 THEN 'failing'
    END,
    enabled = enabled = 1 AND ?7 = 0 AND coalesce(failing_since, ?1) > ?1 - ?8,
    disabled_at = CASE
        WHEN enabled = 0 THEN disabled_at
        WHEN ?7 = 1 OR coalesce(failing_since, ?1) <= ?1 - ?8 THEN ?1
    END
WHERE ?4 <> 'delivered' AND number = (SELECT endpoint FROM webhook_delivery WHERE number = ?2 AND lease = ?3);
UPDATE webhook_delivery
SET next_at = CASE
        WHEN ?4 = 'pending' AND status = 'pending'
            AND (SELECT enabled FROM webhook_endpoint WHERE number = endpoint) = 1
        THEN ?1 + ?5
    END,
    status = CASE
        WHEN ?4 <> 'pending' THEN ?4
        WHEN status = 'pending' AND (SELECT enabled FROM webhook_endpoint WHERE number = endpoint) = 1 THEN 'pending'
        ELSE 'held'
    END,
    attempts = attempts + 1, tries = ?6, changed_at = ?1, lease = NULL
WHERE number = ?2 AND lease = ?3;
UPDATE webhook_delivery SET status = 'held', next_at = NULL, changed_at = ?1
WHERE status = 'pending' AND ?4 <> 'delivered' AND endpoint = (
    SELECT e.number
    FROM webhook_delivery AS d
    JOIN webhook_endpoint AS e ON e.number = d.endpoint
    WHERE d.number = ?2 AND e.enabled = 0
)

-- name: webhook_release
UPDATE webhook_delivery SET lease = NULL, next_at = CASE status WHEN 'pending' THEN ?1 END WHERE number = ?2 AND lease = ?3

-- name: webhook_deliveries_delete
DELETE FROM webhook_delivery
WHERE number IN (
    SELECT number FROM webhook_delivery WHERE changed_at < ?1 AND status <> 'pending' ORDER BY changed_at LIMIT ?2
)
RETURNING number
