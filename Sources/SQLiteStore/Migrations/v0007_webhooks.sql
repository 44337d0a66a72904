-- Webhooks: endpoints, and what is delivered to them.

-- `user` is -2 for the endpoints of operators, which hear of every user's jobs. `events` has a bit for each type:
-- job.completed 1, job.failed 2, job.cancelled 4, webhook.test 8. `secrets` is a JSON list of `secret` (base64),
-- `created_at` and `expires_at`, newest first.
CREATE TABLE webhook_endpoint (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user INTEGER NOT NULL,
    url TEXT NOT NULL,
    events INTEGER NOT NULL CHECK (events BETWEEN 1 AND 15),
    description TEXT,
    secrets TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    disabled_because TEXT CHECK (disabled_because IN ('user', 'gone', 'failing')),
    disabled_at INTEGER,
    created_at INTEGER NOT NULL,
    -- The first failure since the last success.
    failing_since INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    last_failure_status INTEGER,
    last_failure_error TEXT,
    idempotency_key TEXT,
    idempotency_fingerprint TEXT,
    CHECK (enabled = (disabled_because IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))
) STRICT;

CREATE INDEX webhook_endpoint_of_user ON webhook_endpoint (user, number);
CREATE UNIQUE INDEX webhook_endpoint_idempotency ON webhook_endpoint (user, idempotency_key)
WHERE idempotency_key IS NOT NULL;

-- One event for one endpoint. `event` is the `webhook-id`, the same at every endpoint. The columns from `job` to `at`
-- are what the body tells; `about` is the user of the job.
CREATE TABLE webhook_delivery (
    number INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    user INTEGER NOT NULL,
    type TEXT NOT NULL,
    job TEXT,
    kind TEXT,
    about INTEGER,
    error_code TEXT,
    credits INTEGER NOT NULL DEFAULT 0,
    job_created_at INTEGER,
    at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
    -- The time of the next try, or of the end of the lease of the present one.
    next_at INTEGER,
    -- The claim whose worker makes the present try.
    lease TEXT,
    -- The tries since the delivery was stored or replayed.
    attempts INTEGER NOT NULL DEFAULT 0,
    -- A JSON list of the last tries.
    tries TEXT NOT NULL DEFAULT '[]',
    changed_at INTEGER NOT NULL,
    UNIQUE (event, endpoint),
    CHECK ((status = 'pending') = (next_at IS NOT NULL))
) STRICT;

CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint, next_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_leased ON webhook_delivery (endpoint) WHERE lease IS NOT NULL;
CREATE INDEX webhook_delivery_of_user ON webhook_delivery (user, number);
CREATE INDEX webhook_delivery_of_status ON webhook_delivery (user, status, number);
CREATE INDEX webhook_delivery_of_job ON webhook_delivery (job) WHERE job IS NOT NULL;
CREATE INDEX webhook_delivery_about ON webhook_delivery (about) WHERE about IS NOT NULL;
CREATE INDEX webhook_delivery_changed ON webhook_delivery (changed_at);

-- Every end of a job stores its event for the endpoints that hear of it. A part of the statement that ends the job, so
-- no way to an end can leave it out. The service's own jobs (user -1) are nobody's.
CREATE TRIGGER job_end_stores_webhooks AFTER UPDATE OF status ON job
WHEN NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL AND NEW.user <> -1
    AND EXISTS (SELECT 1 FROM webhook_endpoint WHERE user IN (NEW.user, -2))
BEGIN
    INSERT INTO webhook_delivery (
        event, endpoint, user, type, job, kind, about, error_code, credits, job_created_at, at, status, next_at,
        changed_at)
    SELECT
        'msg_' || j.digits || '_' || NEW.revision, e.number, e.user, 'job.' || NEW.status,
        substr(j.digits, 1, 8) || '-' || substr(j.digits, 9, 4) || '-' || substr(j.digits, 13, 4) || '-'
            || substr(j.digits, 17, 4) || '-' || substr(j.digits, 21),
        NEW.kind, NEW.user, NEW.error_code, CASE NEW.status WHEN 'completed' THEN NEW.cost ELSE 0 END,
        NEW.created_at, NEW.completed_at, CASE e.enabled WHEN 1 THEN 'pending' ELSE 'held' END,
        CASE e.enabled WHEN 1 THEN NEW.completed_at END, NEW.completed_at
    FROM (SELECT lower(hex(NEW.id)) AS digits) AS j
    CROSS JOIN webhook_endpoint AS e
    WHERE e.user IN (NEW.user, -2)
        AND e.events & CASE NEW.status WHEN 'completed' THEN 1 WHEN 'failed' THEN 2 ELSE 4 END <> 0;
END;
