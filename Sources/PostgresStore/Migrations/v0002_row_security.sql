-- Direct access on a user's behalf: the role `dossier_reader` reads the rows of the user whom the setting
-- `dossier.user_id` names, and writes nothing. The service owns the tables, and so is not bound.
CREATE FUNCTION current_user_id() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('dossier.user_id', true), '')::bigint $$;

ALTER TABLE account ENABLE ROW LEVEL SECURITY;
ALTER TABLE job ENABLE ROW LEVEL SECURITY;
ALTER TABLE serial_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE step ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE balance ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_call ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON account USING (id = (SELECT current_user_id()));
CREATE POLICY own ON job USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON serial_line USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON step USING (EXISTS (SELECT FROM job WHERE job.number = step.job));
CREATE POLICY own ON ledger USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON balance USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON model_call USING (user_id = (SELECT current_user_id()));

-- A role belongs to the whole server: it may be there from another database, and a service that may not make roles
-- leaves that to the administrator, who then grants the same.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_reader') THEN
        CREATE ROLE dossier_reader NOLOGIN;
    END IF;
    GRANT USAGE ON SCHEMA public TO dossier_reader;
    GRANT SELECT ON account, job, serial_line, step, ledger, balance, model_call, job_record TO dossier_reader;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        GRANT USAGE ON SCHEMA public TO dossier_reader;
        GRANT SELECT ON account, job, serial_line, step, ledger, balance, model_call, job_record TO dossier_reader;
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'the role dossier_reader was not made: the service may not make roles';
END
$$;
