-- Finished jobs.

-- Large outputs are kept compressed, as `CompressedText` makes them: then `packed` has the bytes, and `output` is empty.
ALTER TABLE step ADD COLUMN packed bytea;
ALTER TABLE step ALTER COLUMN packed SET STORAGE EXTERNAL;

-- LZ4 takes less space and time than PostgreSQL's own method; a server may have been built without it.
DO $$
BEGIN
    ALTER TABLE job ALTER COLUMN input SET COMPRESSION lz4, ALTER COLUMN result SET COMPRESSION lz4;
EXCEPTION
    WHEN feature_not_supported THEN NULL;
END
$$;

-- Jobs that ended some minutes ago. They are part of `job`: a query of that table reads both, `ONLY job` the first. The
-- rows of `job` keep room for their next version, these do not. A retry moves a job back.
--
-- A job is in one of the two tables. The constraint keeps queries for unfinished jobs from reading this one.
CREATE TABLE finished_job (
    CHECK (completed_at IS NOT NULL),
    CHECK (status IN ('completed', 'failed', 'cancelled'))
) INHERITS (job) WITH (toast_tuple_target = 256, autovacuum_vacuum_insert_scale_factor = 0.2);

-- Compressed within the row where the row would be longer than the target, as far as it fits into a page.
ALTER TABLE finished_job ALTER COLUMN input SET STORAGE MAIN, ALTER COLUMN result SET STORAGE MAIN;

CREATE UNIQUE INDEX finished_job_number ON finished_job (number);
CREATE UNIQUE INDEX finished_job_id ON finished_job (id);
CREATE INDEX finished_job_of_user ON finished_job (user_id, id);
CREATE UNIQUE INDEX finished_job_idempotency ON finished_job (idempotency_key, user_id)
WHERE idempotency_key IS NOT NULL;

ALTER TABLE finished_job ENABLE ROW LEVEL SECURITY;

-- A foreign key would see only one of the two tables. The functions that delete jobs delete their steps.
ALTER TABLE step DROP CONSTRAINT step_job_fkey;

-- How far the passes through finished jobs have come, which go in the order of the ids. An open transaction keeps index
-- entries of rows that are gone, so a pass does not begin with them each time.
CREATE TABLE history_pass (
    name text PRIMARY KEY CHECK (name IN ('archive', 'delete', 'journals')),
    reached uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    -- The time of the last beginning at the first job.
    began_at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_cost_delay = 0);

INSERT INTO history_pass (name) VALUES ('archive'), ('delete'), ('journals');
