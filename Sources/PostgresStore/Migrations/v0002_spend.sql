-- Money that model calls cost.

-- The user who set off a job of the service, and whose day the job's calls count for.
ALTER TABLE job ADD COLUMN billed_user bigint;

CREATE TYPE call_state AS ENUM ('running', 'ok', 'failed', 'cancelled', 'stalled', 'cut', 'hedge_lost');

ALTER TABLE model_call
    ADD COLUMN state call_state NOT NULL DEFAULT 'ok',
    -- How the tokens are known: 0 estimated before the call, 1 counted while the answer came, 2 told by the provider.
    ADD COLUMN certainty smallint NOT NULL DEFAULT 2 CHECK (certainty IN (0, 1, 2)),
    -- Whether the job has no credits.
    ADD COLUMN free boolean NOT NULL DEFAULT false,
    -- The epoch of the job that made the call.
    ADD COLUMN epoch bigint NOT NULL DEFAULT 0,
    ADD COLUMN ended_at bigint,
    -- Of a running call: the use that counts when its process dies before anything is known of the answer.
    ADD COLUMN least_output_tokens bigint,
    ADD COLUMN least_cost_micro_dollars bigint,
    -- The call beside which this one was made for the same answer.
    ADD COLUMN hedge_of text;

CREATE INDEX model_call_running ON model_call (created_at) WHERE state = 'running';

CREATE INDEX model_call_hedge ON model_call (created_at) WHERE hedge_of IS NOT NULL;

-- The sums of the rows above of a UTC day, by the day of `created_at`; days count from 1970.
CREATE TABLE user_spend (
    day bigint NOT NULL,
    user_id bigint NOT NULL,
    micro_dollars bigint NOT NULL,
    PRIMARY KEY (day, user_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0);

-- A sum is in several rows, so that transactions do not wait for each other.
CREATE TABLE service_spend (
    day bigint NOT NULL,
    bucket bigint NOT NULL,
    micro_dollars bigint NOT NULL,
    free_micro_dollars bigint NOT NULL,
    PRIMARY KEY (day, bucket)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0);

INSERT INTO user_spend (day, user_id, micro_dollars)
SELECT created_at / 86400000, user_id, sum(cost_micro_dollars) FROM model_call GROUP BY 1, 2;

INSERT INTO service_spend (day, bucket, micro_dollars, free_micro_dollars)
SELECT created_at / 86400000, 0, sum(cost_micro_dollars), 0 FROM model_call GROUP BY 1;
