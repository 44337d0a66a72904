-- Grants are few among the entries of the ledger, so that they are found by indexes of their own.
CREATE INDEX ledger_grants ON ledger (entry) WHERE kind = 'grant';

CREATE INDEX ledger_grants_of_user ON ledger (user_id, entry) WHERE kind = 'grant';

-- The jobs that ended last.
CREATE INDEX job_ended ON job (completed_at) WHERE completed_at IS NOT NULL;
