-- Erasure of users. Only the service reads these tables.

-- The erasures. `number` takes the place of the user's in what stays; it is of the sequence of accounts, so that no
-- account has it.
CREATE TABLE erasure (
    number bigint PRIMARY KEY,
    -- 128 random bits: the one right to ask about it.
    id text COLLATE "C" NOT NULL UNIQUE,
    -- Until the rows of the user are gone.
    user_id bigint UNIQUE,
    subject text,
    -- The HMAC of the subject, for some months.
    digest text COLLATE "C",
    requested_at bigint NOT NULL,
    complete_by bigint NOT NULL,
    completed_at bigint,
    -- Whether the starting credits had been granted.
    had_credits boolean NOT NULL DEFAULT false,
    -- The plan's grant of the last month that had begun.
    month text COLLATE "C",
    month_granted bigint,
    CHECK ((user_id IS NULL) = (subject IS NULL)),
    CHECK (completed_at IS NULL OR user_id IS NULL)
);
CREATE INDEX erasure_of_digest ON erasure (digest, requested_at) WHERE digest IS NOT NULL;
CREATE INDEX erasure_running ON erasure (requested_at) WHERE completed_at IS NULL;

-- The key of the HMAC.
CREATE TABLE erasure_key (
    one integer PRIMARY KEY CHECK (one = 1),
    key text NOT NULL
);
INSERT INTO erasure_key (one, key)
VALUES (1, replace(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

CREATE INDEX audit_about ON audit (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_of_actor ON audit (actor_id);
CREATE INDEX job_billed ON job (billed_user) WHERE billed_user IS NOT NULL;
CREATE INDEX finished_job_billed ON finished_job (billed_user) WHERE billed_user IS NOT NULL;
CREATE INDEX conversation_turn_by_age ON conversation_turn (answered_at);
CREATE INDEX model_batch_line_of_job ON model_batch_line (job);

-- The ledger and the audit stay append-only but for an erasure, which replaces the number of its user and takes texts
-- out, and for the end of the audit's retention.
DROP TRIGGER ledger_is_append_only ON ledger;
CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR TRUNCATE ON ledger EXECUTE FUNCTION refuse_change();
CREATE FUNCTION check_change_of_ledger() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM erasure AS e WHERE e.user_id = OLD.user_id AND e.number = NEW.user_id)
        OR (NEW.entry, NEW.kind, NEW.amount, NEW.job, NEW.hold, NEW.created_at, NEW.operation, NEW.source, NEW.month)
            IS DISTINCT FROM
            (OLD.entry, OLD.kind, OLD.amount, OLD.job, OLD.hold, OLD.created_at, OLD.operation, OLD.source, OLD.month)
        OR NEW.note IS NOT NULL AND NEW.note IS DISTINCT FROM OLD.note
    THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
FOR EACH ROW EXECUTE FUNCTION check_change_of_ledger();

-- Entries before this time may be deleted.
CREATE TABLE audit_retention (
    one integer PRIMARY KEY CHECK (one = 1),
    before bigint NOT NULL
);
INSERT INTO audit_retention (one, before) VALUES (1, 0);

DROP TRIGGER audit_is_append_only ON audit;
CREATE TRIGGER audit_is_append_only BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse_change_of_audit();
CREATE FUNCTION check_change_of_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at >= (SELECT r.before FROM audit_retention AS r) THEN
            RAISE EXCEPTION 'the audit is append-only';
        END IF;
        RETURN OLD;
    END IF;
    IF NOT EXISTS (
            SELECT
            FROM erasure AS e
            WHERE e.user_id = OLD.user_id AND e.number = NEW.user_id AND NEW.actor_id = OLD.actor_id
                OR NEW.user_id IS NOT DISTINCT FROM OLD.user_id AND NEW.target IS NOT DISTINCT FROM OLD.target
                    AND OLD.actor_type = 'user' AND OLD.actor_id = e.user_id::text AND NEW.actor_id = e.number::text
        )
        OR (NEW.id, NEW.at, NEW.action, NEW.actor_type) IS DISTINCT FROM (OLD.id, OLD.at, OLD.action, OLD.actor_type)
    THEN
        RAISE EXCEPTION 'the audit is append-only';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION check_change_of_audit();
