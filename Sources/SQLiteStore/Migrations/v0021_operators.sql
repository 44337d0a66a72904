-- Grants are few among the entries of the ledger, so that they are found by indexes of their own.
CREATE INDEX ledger_grants ON ledger (entry) WHERE kind = 'grant';

CREATE INDEX ledger_grants_of_user ON ledger (user, entry) WHERE kind = 'grant';
