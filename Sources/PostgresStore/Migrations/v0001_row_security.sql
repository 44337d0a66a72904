-- Direct access on a user's behalf: the role `dossier_reader` reads the rows of the user that the setting
-- `dossier.user_id` names, and writes nothing. The service owns the tables, so row security does not restrict it.

CREATE FUNCTION current_user_id() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('dossier.user_id', true), '')::bigint $$;

ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE job ENABLE ROW LEVEL SECURITY;
ALTER TABLE serialized_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE step ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE preferences ENABLE ROW LEVEL SECURITY;
ALTER TABLE holding ENABLE ROW LEVEL SECURITY;
ALTER TABLE brief ENABLE ROW LEVEL SECURITY;
ALTER TABLE conversation_turn ENABLE ROW LEVEL SECURITY;
ALTER TABLE passage ENABLE ROW LEVEL SECURITY;
ALTER TABLE watchlist ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON account USING (id = (SELECT current_user_id()));
CREATE POLICY own ON job USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON serialized_job USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON step USING (EXISTS (SELECT FROM job WHERE job.number = step.job));
CREATE POLICY own ON ledger USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON balance USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON model_call USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON preferences USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON holding USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON brief USING (user_id IN ((SELECT current_user_id()), -1));
CREATE POLICY own ON conversation_turn USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON passage USING (owner IS NULL OR owner = (SELECT current_user_id()));
CREATE POLICY own ON watchlist USING (user_id = (SELECT current_user_id()));

-- A role belongs to the whole server: another database may have created it. A service that may not create roles leaves
-- this to the administrator, to grant the same rights.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_reader') THEN
        BEGIN
            CREATE ROLE dossier_reader NOLOGIN;
        EXCEPTION
            -- Another database created it at the same time.
            WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END IF;
    GRANT USAGE ON SCHEMA public TO dossier_reader;
    GRANT SELECT ON account, job, serialized_job, step, ledger, balance, model_call, job_record, preferences, holding,
        brief, conversation_turn, passage, watchlist TO dossier_reader;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'the role dossier_reader was not created: the service may not create roles';
END
$$;
