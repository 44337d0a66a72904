-- Accounts, credits and the costs of model calls.

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

-- The owner of jobs that schedules enqueue.
INSERT INTO account (id, subject, created_at) VALUES (-1, 'system', 0);

-- Every movement of credits. `settle` and `release` close a hold, which can happen once.
CREATE TABLE ledger (
    entry INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'release')),
    amount INTEGER NOT NULL,
    job BLOB,
    -- The entry that this one closes.
    hold INTEGER,
    note TEXT,
    created_at INTEGER NOT NULL,
    CHECK ((kind IN ('settle', 'release')) = (hold IS NOT NULL)),
    CHECK (kind = 'grant' OR (job IS NOT NULL AND amount > 0))
) STRICT;

CREATE UNIQUE INDEX ledger_closed_hold ON ledger (hold) WHERE hold IS NOT NULL;

CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- The sum of each user's ledger.
CREATE TABLE balance (
    user INTEGER PRIMARY KEY,
    granted INTEGER NOT NULL,
    held INTEGER NOT NULL CHECK (held >= 0),
    used INTEGER NOT NULL CHECK (used >= 0),
    remaining INTEGER GENERATED ALWAYS AS (granted - held - used) VIRTUAL,
    CHECK (remaining >= 0)
) STRICT;

-- Paid model calls; they outlive their jobs.
CREATE TABLE model_call (
    id TEXT NOT NULL UNIQUE,
    job BLOB NOT NULL,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_micro_dollars INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX model_call_of_user ON model_call (user, created_at, cost_micro_dollars);
-- Each reading of metrics sums the recent calls of all users.
CREATE INDEX model_call_created ON model_call (created_at);
