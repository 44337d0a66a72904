-- The origin of granted credits, and grants under ids of other systems.

ALTER TABLE ledger ADD COLUMN source text;
-- The month of a plan's grant, and of what is left of it when it goes.
ALTER TABLE ledger ADD COLUMN month text;

CREATE INDEX ledger_of_user ON ledger (user_id, entry);

-- The kinds of jobs that have been deleted and that the ledger names.
CREATE TABLE ledger_job (
    job uuid PRIMARY KEY,
    kind text NOT NULL
);

CREATE TABLE credit_grant (
    -- Of the external id, which is unique in the whole service.
    digest text COLLATE "C" PRIMARY KEY,
    external_id text,
    id text NOT NULL,
    user_id bigint NOT NULL,
    amount bigint NOT NULL,
    applied bigint NOT NULL,
    source text NOT NULL,
    note text,
    created_at bigint NOT NULL,
    -- The balance after it.
    granted bigint NOT NULL,
    held bigint NOT NULL,
    used bigint NOT NULL
);

CREATE INDEX credit_grant_of_user ON credit_grant (user_id);
