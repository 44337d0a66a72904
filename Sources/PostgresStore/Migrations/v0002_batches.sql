-- Model calls by batch.

CREATE TYPE service_tier AS ENUM ('standard', 'batch');

ALTER TABLE model_call ADD COLUMN service_tier service_tier NOT NULL DEFAULT 'standard';

-- A batch from the moment at which its lines are fixed. `value` is `ModelBatch.encoded`; the columns repeat what queries
-- choose by. A worker works on it under the lease of the number `fence`, until `leased_until`.
CREATE TABLE model_batch (
    id text COLLATE "C" PRIMARY KEY,
    provider text NOT NULL,
    model text NOT NULL,
    state text NOT NULL CHECK (state IN ('sealed', 'sending', 'out', 'unclear', 'refused', 'ended', 'collected')),
    -- `NULL` for a batch that is collected.
    due_at bigint,
    provider_id text COLLATE "C",
    first_line_at bigint NOT NULL,
    sealed_at bigint NOT NULL,
    collected_at bigint,
    fence bigint NOT NULL DEFAULT 0,
    leased_until bigint NOT NULL DEFAULT 0,
    value text NOT NULL,
    CHECK ((state = 'collected') = (due_at IS NULL)),
    CHECK ((state = 'collected') = (collected_at IS NOT NULL))
) WITH (fillfactor = 50);

CREATE INDEX model_batch_due ON model_batch (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX model_batch_sealed ON model_batch (sealed_at);
CREATE INDEX model_batch_collected ON model_batch (collected_at) WHERE collected_at IS NOT NULL;
CREATE UNIQUE INDEX model_batch_of_provider ON model_batch (provider, provider_id) WHERE provider_id IS NOT NULL;

-- A model call of a job that goes by batch: by job, step and hash of the step's input, of which `id` is a digest. It is
-- in one batch at most.
CREATE TABLE model_batch_line (
    id text COLLATE "C" PRIMARY KEY,
    job uuid NOT NULL,
    step text NOT NULL,
    input_hash text NOT NULL,
    provider text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'answered', 'journalled', 'failed')),
    -- The number of the try, and the id by which the provider tells its result.
    try bigint NOT NULL,
    custom_id text COLLATE "C" NOT NULL UNIQUE,
    batch text COLLATE "C" REFERENCES model_batch (id),
    -- Whether it has a batch of its own.
    alone boolean NOT NULL DEFAULT false,
    hurried boolean NOT NULL,
    -- The time at which the job makes the call at the full price.
    last_chance bigint NOT NULL,
    added_at bigint NOT NULL,
    -- The booking.
    call text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL,
    -- JSON.
    request text NOT NULL,
    answer text
);

CREATE INDEX model_batch_line_gathering ON model_batch_line (provider, model, alone DESC, added_at)
WHERE state = 'open' AND batch IS NULL;
CREATE INDEX model_batch_line_of_batch ON model_batch_line (batch) WHERE batch IS NOT NULL;
CREATE INDEX model_batch_line_by_age ON model_batch_line (added_at);
