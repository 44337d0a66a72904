-- Model calls by batch.

ALTER TABLE model_call ADD COLUMN service_tier TEXT NOT NULL DEFAULT 'standard'
CHECK (service_tier IN ('standard', 'batch'));

-- A batch from the moment at which its lines are fixed. `value` is `ModelBatch.encoded`; the columns repeat what queries
-- choose by. A worker works on it under the lease of the number `fence`, until `leased_until`.
CREATE TABLE model_batch (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('sealed', 'sending', 'out', 'unclear', 'refused', 'ended', 'collected')
    ),
    -- `NULL` for a batch that is collected.
    due_at INTEGER,
    provider_id TEXT,
    first_line_at INTEGER NOT NULL,
    sealed_at INTEGER NOT NULL,
    collected_at INTEGER,
    fence INTEGER NOT NULL DEFAULT 0,
    leased_until INTEGER NOT NULL DEFAULT 0,
    value TEXT NOT NULL,
    CHECK ((state = 'collected') = (due_at IS NULL)),
    CHECK ((state = 'collected') = (collected_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX model_batch_due ON model_batch (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX model_batch_sealed ON model_batch (sealed_at);
CREATE INDEX model_batch_collected ON model_batch (collected_at) WHERE collected_at IS NOT NULL;
CREATE UNIQUE INDEX model_batch_of_provider ON model_batch (provider, provider_id) WHERE provider_id IS NOT NULL;

-- A model call of a job that goes by batch: by job, step and hash of the step's input, of which `id` is a digest. It is
-- in one batch at most.
CREATE TABLE model_batch_line (
    id TEXT PRIMARY KEY,
    job BLOB NOT NULL CHECK (length(job) = 16),
    step TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'journalled', 'failed')),
    -- The number of the try, and the id by which the provider tells its result.
    try INTEGER NOT NULL,
    custom_id TEXT NOT NULL UNIQUE,
    batch TEXT REFERENCES model_batch (id),
    -- Whether it has a batch of its own.
    alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1)),
    hurried INTEGER NOT NULL CHECK (hurried IN (0, 1)),
    -- The time at which the job makes the call at the full price.
    last_chance INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    -- The booking.
    call TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    -- JSON, and compressed as in other tables.
    request TEXT NOT NULL,
    request_packed BLOB,
    answer TEXT,
    answer_packed BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX model_batch_line_gathering ON model_batch_line (provider, model, alone DESC, added_at)
WHERE state = 'open' AND batch IS NULL;
CREATE INDEX model_batch_line_of_batch ON model_batch_line (batch) WHERE batch IS NOT NULL;
CREATE INDEX model_batch_line_by_age ON model_batch_line (added_at);
