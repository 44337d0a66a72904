-- Erasure of users.

-- The erasures. `number` takes the place of the user's in what stays; it is of the sequence of accounts, so that no
-- later account has it or the number that it took the place of.
CREATE TABLE erasure (
    number INTEGER PRIMARY KEY,
    -- 128 random bits: the one right to ask about it.
    id TEXT NOT NULL UNIQUE,
    -- Until the rows of the user are gone.
    user INTEGER UNIQUE,
    subject TEXT,
    -- The HMAC of the subject, for some months.
    digest TEXT,
    requested_at INTEGER NOT NULL,
    complete_by INTEGER NOT NULL,
    completed_at INTEGER,
    -- Whether the starting credits had been granted.
    had_credits INTEGER NOT NULL DEFAULT 0 CHECK (had_credits IN (0, 1)),
    -- The plan's grant of the last month that had begun.
    month TEXT,
    month_granted INTEGER,
    CHECK ((user IS NULL) = (subject IS NULL)),
    CHECK (completed_at IS NULL OR user IS NULL)
) STRICT;

CREATE INDEX erasure_of_digest ON erasure (digest, requested_at) WHERE digest IS NOT NULL;
CREATE INDEX erasure_running ON erasure (requested_at) WHERE completed_at IS NULL;

-- The key of the HMAC.
CREATE TABLE erasure_key (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key TEXT NOT NULL
) STRICT;

INSERT INTO erasure_key (one, key) VALUES (1, lower(hex(randomblob(32))));

CREATE INDEX audit_about ON audit (user) WHERE user IS NOT NULL;
CREATE INDEX audit_of_actor ON audit (actor_id);
CREATE INDEX job_billed ON job (billed_user) WHERE billed_user IS NOT NULL;
CREATE INDEX conversation_turn_by_age ON conversation_turn (answered_at);
CREATE INDEX model_batch_line_of_job ON model_batch_line (job);

-- The ledger and the audit stay append-only but for an erasure, which replaces the number of its user and takes texts
-- out, and for the end of the audit's retention.
DROP TRIGGER ledger_is_never_updated;
CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasure AS e WHERE e.user = old.user AND e.number = new.user)
    OR new.entry <> old.entry OR new.kind <> old.kind OR new.amount <> old.amount OR new.job IS NOT old.job
    OR new.hold IS NOT old.hold OR new.created_at <> old.created_at OR new.source IS NOT old.source
    OR new.month IS NOT old.month OR (new.note IS NOT NULL AND new.note IS NOT old.note)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

DROP TRIGGER audit_is_never_updated;
CREATE TRIGGER audit_is_never_updated BEFORE UPDATE ON audit
WHEN NOT EXISTS (
        SELECT 1
        FROM erasure AS e
        WHERE e.user = old.user AND e.number = new.user AND new.actor_id = old.actor_id
            OR new.user IS old.user AND new.target IS old.target AND old.actor_type = 'user'
                AND old.actor_id = CAST(e.user AS TEXT) AND new.actor_id = CAST(e.number AS TEXT)
    )
    OR new.id <> old.id OR new.at <> old.at OR new.action <> old.action OR new.actor_type <> old.actor_type
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- Entries before this time may be deleted.
CREATE TABLE audit_retention (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    before INTEGER NOT NULL
) STRICT;

INSERT INTO audit_retention (one, before) VALUES (1, 0);

DROP TRIGGER audit_is_never_deleted;
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
WHEN old.at >= (SELECT before FROM audit_retention)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- As before, but nothing is stored about the jobs of a user who is being erased.
DROP TRIGGER job_end_stores_webhooks;
CREATE TRIGGER job_end_stores_webhooks AFTER UPDATE OF status ON job
WHEN NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL AND NEW.user <> -1
    AND EXISTS (SELECT 1 FROM webhook_endpoint WHERE user IN (NEW.user, -2))
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE user = NEW.user)
BEGIN
    INSERT INTO webhook_delivery (
        event, endpoint, user, type, job, kind, about, error_code, credits, job_created_at, at, status, next_at,
        changed_at)
    SELECT
        'msg_' || j.digits || '_' || NEW.revision, e.number, e.user, 'job.' || NEW.status,
        substr(j.digits, 1, 8) || '-' || substr(j.digits, 9, 4) || '-' || substr(j.digits, 13, 4) || '-'
            || substr(j.digits, 17, 4) || '-' || substr(j.digits, 21),
        NEW.kind, NEW.user, NEW.error_code, CASE NEW.status WHEN 'completed' THEN NEW.cost ELSE 0 END,
        NEW.created_at, NEW.completed_at, CASE e.enabled WHEN 1 THEN 'pending' ELSE 'held' END,
        CASE e.enabled WHEN 1 THEN NEW.completed_at END, NEW.completed_at
    FROM (SELECT lower(hex(NEW.id)) AS digits) AS j
    CROSS JOIN webhook_endpoint AS e
    WHERE e.user IN (NEW.user, -2)
        AND e.events & CASE NEW.status WHEN 'completed' THEN 1 WHEN 'failed' THEN 2 ELSE 4 END <> 0;
END;
