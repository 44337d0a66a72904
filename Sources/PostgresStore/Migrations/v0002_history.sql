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

-- `packed` has a result as `CompressedText` makes it: in `job` one of more than 4,096 bytes, in `finished_job` also a
-- shorter one. The others serve `finished_job`, where a completed job takes fewer bytes: a number for the text of the
-- bundle; and several numbers in the bits of one, from the lowest on: in `counts` the revision (20), `attempt` (12), `max_attempts` (12) and the epoch
-- (16); in `times` the milliseconds from `created_at` to `started_at`, and one more (31), and those to `deadline` (31).
CREATE TABLE bundle_number (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    bundle text NOT NULL UNIQUE
);

ALTER TABLE job
    ADD COLUMN counts bigint,
    ADD COLUMN times bigint,
    ADD COLUMN bundle_number integer,
    ADD COLUMN packed bytea;
ALTER TABLE job ALTER COLUMN packed SET STORAGE EXTERNAL;

-- Columns that a completed job need not have in `finished_job`. In `job` they are never NULL; rows from before
-- conform, so they are not read to see it.
ALTER TABLE job
    ALTER COLUMN priority DROP NOT NULL, ALTER COLUMN cost DROP NOT NULL, ALTER COLUMN max_attempts DROP NOT NULL,
    ALTER COLUMN time_limit DROP NOT NULL, ALTER COLUMN deadline DROP NOT NULL, ALTER COLUMN epoch DROP NOT NULL,
    ALTER COLUMN revision DROP NOT NULL, ALTER COLUMN attempt DROP NOT NULL, ALTER COLUMN deaths DROP NOT NULL,
    ALTER COLUMN queue DROP NOT NULL, ALTER COLUMN progress DROP NOT NULL, ALTER COLUMN blocked DROP NOT NULL,
    ALTER COLUMN limited DROP NOT NULL, ALTER COLUMN waiting DROP NOT NULL, ALTER COLUMN interrupted DROP NOT NULL,
    ALTER COLUMN bundle DROP NOT NULL,
    ADD CONSTRAINT job_is_whole CHECK (
        priority IS NOT NULL AND cost IS NOT NULL AND max_attempts IS NOT NULL AND time_limit IS NOT NULL
        AND deadline IS NOT NULL AND epoch IS NOT NULL AND revision IS NOT NULL AND attempt IS NOT NULL
        AND deaths IS NOT NULL AND queue IS NOT NULL AND progress IS NOT NULL AND blocked IS NOT NULL
        AND limited IS NOT NULL AND waiting IS NOT NULL AND interrupted IS NOT NULL AND bundle IS NOT NULL
        AND counts IS NULL AND times IS NULL AND bundle_number IS NULL
    ) NO INHERIT NOT VALID,
    DROP CONSTRAINT job_check7,
    ADD CONSTRAINT job_check7 CHECK (
        status <> 'completed' OR (
            coalesce(progress, 100) = 100 AND error_code IS NULL AND (result IS NOT NULL OR packed IS NOT NULL))
    ) NOT VALID;

-- Jobs that ended some minutes ago. They are part of `job`: a query of that table reads both, `ONLY job` the first. The
-- rows of `job` keep room for their next version, these do not. A retry moves a job back.
--
-- A job is in one of the two tables. The constraint keeps queries for unfinished jobs from reading this one.
CREATE TABLE finished_job (
    CHECK (completed_at IS NOT NULL),
    CHECK (status IN ('completed', 'failed', 'cancelled')),
    -- A job that can run again has all columns.
    CHECK (status = 'completed' OR coalesce(counts, times, bundle_number) IS NULL),
    CHECK (num_nulls(counts, times, bundle_number) IN (0, 3)),
    CHECK (
        counts IS NOT NULL
        OR num_nulls(
            priority, cost, max_attempts, time_limit, deadline, epoch, revision, attempt, deaths, queue, progress,
            blocked, limited, waiting, interrupted, bundle) = 0)
) INHERITS (job) WITH (toast_tuple_target = 256, autovacuum_vacuum_insert_scale_factor = 0.2);

-- Compressed within the row where the row would be longer than the target, as far as it fits into a page.
ALTER TABLE finished_job
    ALTER COLUMN input SET STORAGE MAIN, ALTER COLUMN result SET STORAGE MAIN, ALTER COLUMN packed SET STORAGE MAIN;

-- Columns without a value are NULL.
ALTER TABLE finished_job
    ALTER COLUMN epoch DROP DEFAULT, ALTER COLUMN revision DROP DEFAULT, ALTER COLUMN attempt DROP DEFAULT,
    ALTER COLUMN deaths DROP DEFAULT, ALTER COLUMN status DROP DEFAULT, ALTER COLUMN progress DROP DEFAULT,
    ALTER COLUMN blocked DROP DEFAULT, ALTER COLUMN waiting DROP DEFAULT, ALTER COLUMN interrupted DROP DEFAULT;

-- As before, with the columns of a completed job in `finished_job`.
CREATE OR REPLACE VIEW job_record WITH (security_invoker = true) AS
SELECT
    j.id, j.user_id, j.kind, j.input,
    coalesce(j.bundle, (SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number)) AS bundle,
    coalesce(s.status, j.status)::text AS status, coalesce(j.queue, 'background')::text AS queue,
    coalesce(j.priority, 0) AS priority,
    coalesce(s.progress, j.progress, 100::smallint) AS progress,
    CASE WHEN s.number IS NULL THEN j.current_step ELSE s.current_step END AS current_step,
    coalesce(s.attempt, j.attempt, (j.counts >> 20) & 4095) AS attempt,
    coalesce(j.max_attempts, (j.counts >> 32) & 4095) AS max_attempts, coalesce(j.cost, 0) AS cost,
    CASE WHEN s.number IS NULL THEN j.error_code ELSE s.error_code END AS error_code,
    CASE WHEN s.number IS NULL THEN j.error_message ELSE s.error_message END AS error_message,
    CASE WHEN s.number IS NULL THEN j.error_user_message ELSE s.error_user_message END AS error_user_message,
    coalesce(j.revision, j.counts & 1048575) + coalesce(s.revision - j.shared_job_revision, 0) AS revision,
    j.created_at,
    CASE
        WHEN s.number IS NULL THEN coalesce(j.started_at, j.created_at + nullif(j.times & 2147483647, 0) - 1)
        WHEN s.started_at IS NOT NULL THEN greatest(s.started_at, j.created_at)
    END AS started_at,
    j.completed_at, coalesce(j.deadline, j.created_at + (j.times >> 31)) AS deadline, j.run_at,
    CASE
        WHEN j.blocked THEN (
            SELECT p.id
            FROM serialized_job AS k
            JOIN job AS p ON p.number = k.job
            WHERE k.user_id = j.user_id AND k.concurrency_key = j.concurrency_key AND (k.holds OR k.job < j.number)
            ORDER BY k.holds, k.job DESC
            LIMIT 1
        )
    END AS held_up_by,
    coalesce(j.waiting, false) AS waiting,
    j.number,
    j.subscribed_to IS NOT NULL AS is_subscriber,
    j.waits_for,
    j.within
FROM job AS j
LEFT JOIN job AS s ON s.number = j.subscribed_to;

DO $$
BEGIN
    GRANT SELECT ON bundle_number TO dossier_reader;
EXCEPTION
    WHEN undefined_object OR insufficient_privilege THEN NULL;
END
$$;

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
