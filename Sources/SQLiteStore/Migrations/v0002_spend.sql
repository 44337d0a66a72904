-- Money that model calls cost.

-- The user who set off a job of the service, and whose day the job's calls count for.
ALTER TABLE job ADD COLUMN billed_user INTEGER;

ALTER TABLE model_call ADD COLUMN state TEXT NOT NULL DEFAULT 'ok'
CHECK (state IN ('running', 'ok', 'failed', 'cancelled', 'stalled', 'cut', 'hedge_lost'));
-- How the tokens are known: 0 estimated before the call, 1 counted while the answer came, 2 told by the provider.
ALTER TABLE model_call ADD COLUMN certainty INTEGER NOT NULL DEFAULT 2 CHECK (certainty IN (0, 1, 2));
-- The epoch of the job that made the call.
ALTER TABLE model_call ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
-- Whether the job has no credits.
ALTER TABLE model_call ADD COLUMN free INTEGER NOT NULL DEFAULT 0 CHECK (free IN (0, 1));
ALTER TABLE model_call ADD COLUMN ended_at INTEGER;
-- Of a running call: the use that counts when its process dies before anything is known of the answer.
ALTER TABLE model_call ADD COLUMN least_output_tokens INTEGER;
ALTER TABLE model_call ADD COLUMN least_cost_micro_dollars INTEGER;
-- The call beside which this one was made for the same answer.
ALTER TABLE model_call ADD COLUMN hedge_of TEXT;

CREATE INDEX model_call_running ON model_call (created_at) WHERE state = 'running';

CREATE INDEX model_call_hedge ON model_call (created_at) WHERE hedge_of IS NOT NULL;

-- The sums of the rows above of a UTC day, by the day of `created_at`; days count from 1970.
CREATE TABLE user_spend (
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    micro_dollars INTEGER NOT NULL,
    PRIMARY KEY (day, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE service_spend (
    day INTEGER PRIMARY KEY,
    micro_dollars INTEGER NOT NULL,
    free_micro_dollars INTEGER NOT NULL
) STRICT;

INSERT INTO user_spend (day, user, micro_dollars)
SELECT created_at / 86400000, user, sum(cost_micro_dollars) FROM model_call GROUP BY 1, 2;

INSERT INTO service_spend (day, micro_dollars, free_micro_dollars)
SELECT created_at / 86400000, sum(cost_micro_dollars), 0 FROM model_call GROUP BY 1;
