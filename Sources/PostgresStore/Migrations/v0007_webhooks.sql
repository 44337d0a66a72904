-- Webhooks: endpoints, and what is delivered to them.

-- `user_id` is -2 for the endpoints of operators, which hear of every user's jobs. `events` has a bit for each type:
-- job.completed 1, job.failed 2, job.cancelled 4, webhook.test 8. `secrets` is a JSON list of `secret` (base64),
-- `created_at` and `expires_at`, newest first.
CREATE TABLE webhook_endpoint (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    user_id bigint NOT NULL,
    url text NOT NULL,
    events bigint NOT NULL CHECK (events BETWEEN 1 AND 15),
    description text,
    secrets text NOT NULL,
    enabled boolean NOT NULL DEFAULT true,
    disabled_because text CHECK (disabled_because IN ('user', 'gone', 'failing')),
    disabled_at bigint,
    created_at bigint NOT NULL,
    -- The first failure since the last success.
    failing_since bigint,
    last_success_at bigint,
    last_failure_at bigint,
    last_failure_status bigint,
    last_failure_error text,
    idempotency_key text,
    idempotency_fingerprint text,
    CHECK (enabled = (disabled_because IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))
) WITH (fillfactor = 50);

CREATE INDEX webhook_endpoint_of_user ON webhook_endpoint (user_id, number);
CREATE UNIQUE INDEX webhook_endpoint_idempotency ON webhook_endpoint (user_id, idempotency_key)
WHERE idempotency_key IS NOT NULL;

-- One event for one endpoint. `event` is the `webhook-id`, the same at every endpoint. The columns from `job` to `at`
-- are what the body tells; `about` is the user of the job.
CREATE TABLE webhook_delivery (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event text COLLATE "C" NOT NULL,
    endpoint bigint NOT NULL,
    user_id bigint NOT NULL,
    type text NOT NULL,
    job text COLLATE "C",
    kind text,
    about bigint,
    error_code text,
    credits bigint NOT NULL DEFAULT 0,
    job_created_at bigint,
    at bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
    -- The time of the next try, or of the end of the lease of the present one.
    next_at bigint,
    -- The claim whose worker makes the present try.
    lease text,
    -- The tries since the delivery was stored or replayed.
    attempts bigint NOT NULL DEFAULT 0,
    -- A JSON list of the last tries.
    tries text NOT NULL DEFAULT '[]',
    changed_at bigint NOT NULL,
    UNIQUE (event, endpoint),
    CHECK ((status = 'pending') = (next_at IS NOT NULL))
);

CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint, next_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_leased ON webhook_delivery (endpoint) WHERE lease IS NOT NULL;
CREATE INDEX webhook_delivery_of_user ON webhook_delivery (user_id, number);
CREATE INDEX webhook_delivery_of_status ON webhook_delivery (user_id, status, number);
CREATE INDEX webhook_delivery_of_job ON webhook_delivery (job) WHERE job IS NOT NULL;
CREATE INDEX webhook_delivery_about ON webhook_delivery (about) WHERE about IS NOT NULL;
CREATE INDEX webhook_delivery_changed ON webhook_delivery (changed_at);
