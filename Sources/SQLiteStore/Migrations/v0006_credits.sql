-- The origin of granted credits, and grants under ids of other systems.

ALTER TABLE ledger ADD COLUMN source TEXT;
-- The month of a plan's grant, and of what is left of it when it goes.
ALTER TABLE ledger ADD COLUMN month TEXT;

CREATE INDEX ledger_of_user ON ledger (user, entry);

-- The kinds of jobs that have been deleted and that the ledger names.
CREATE TABLE ledger_job (
    job BLOB PRIMARY KEY,
    kind TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE credit_grant (
    -- Of the external id, which is unique in the whole service.
    digest TEXT PRIMARY KEY,
    external_id TEXT,
    id TEXT NOT NULL,
    user INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    applied INTEGER NOT NULL,
    source TEXT NOT NULL,
    note TEXT,
    created_at INTEGER NOT NULL,
    -- The balance after it.
    granted INTEGER NOT NULL,
    held INTEGER NOT NULL,
    used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX credit_grant_of_user ON credit_grant (user);
