-- Finished jobs: moving them out of the way, deleting their journals, deleting them.
--
-- These functions go through jobs in the order of their ids, which begin with the time of submission, so a pass covers
-- only jobs submitted before a time. One process at a time does each kind of pass. With a clock of its own
-- (`p_now`), a test's pass begins at the first job.

-- Where a pass goes on; NULL when another process is at it. Once an hour a pass begins again, since a job may end long
-- after its submit.
CREATE OR REPLACE FUNCTION begin_history_pass(p_name text, p_now bigint) RETURNS uuid
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_pass history_pass;
BEGIN
    SELECT * INTO v_pass FROM history_pass AS p WHERE p.name = p_name FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF p_name <> 'journals' AND (p_now IS NOT NULL OR v_pass.began_at < v_now - 3600000) THEN
        v_pass.reached := '00000000-0000-0000-0000-000000000000';
        UPDATE history_pass AS p SET began_at = v_now, reached = v_pass.reached WHERE p.name = p_name;
    END IF;
    RETURN v_pass.reached;
END
$$;

-- The first id that a job submitted at a time can have.
CREATE OR REPLACE FUNCTION first_id_at(p_time bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE
AS $$ SELECT (lpad(to_hex(greatest(p_time, 0)), 12, '0') || '00000000000000000000')::uuid $$;

-- The next jobs to archive, which ended before a time; with the results that the caller compresses.
CREATE OR REPLACE FUNCTION jobs_to_archive(p_now bigint, p_before bigint, p_limit bigint)
RETURNS TABLE (number bigint, result text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_from uuid := begin_history_pass('archive', p_now);
BEGIN
    RETURN QUERY
    SELECT
        h.number,
        CASE WHEN h.status = 'completed' AND octet_length(h.result) BETWEEN 256 AND 4096 THEN h.result END
    FROM ONLY job AS h
    WHERE h.id > v_from AND h.id < first_id_at(p_before) AND h.completed_at < p_before
    ORDER BY h.id
    LIMIT p_limit;
END
$$;

-- Moves jobs that `jobs_to_archive` found to `finished_job`, and returns their number. A result may be compressed.
--
-- A completed job loses what serves only a job that can run or be retried, and the columns that `counts`, `times` and
-- `bundle_number` have. It keeps all columns when a number is too large for its bits.
CREATE OR REPLACE FUNCTION archive_finished_jobs(
    p_before bigint, p_limit bigint, p_numbers bigint[], p_packed bytea[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_from uuid;
    v_numbers bigint[];
    v_last uuid;
    v_count bigint := 0;
BEGIN
    SELECT p.reached INTO v_from FROM history_pass AS p WHERE p.name = 'archive' FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    SELECT array_agg(j.number), max(j.id::text)::uuid INTO v_numbers, v_last
    FROM (
        SELECT h.number, h.id
        FROM ONLY job AS h
        WHERE h.number = ANY (p_numbers) AND h.completed_at < p_before
        FOR UPDATE SKIP LOCKED
    ) AS j;
    IF v_numbers IS NOT NULL THEN
        INSERT INTO bundle_number (bundle)
        SELECT DISTINCT j.bundle
        FROM ONLY job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'completed'
            AND NOT EXISTS (SELECT FROM bundle_number AS b WHERE b.bundle = j.bundle)
        ON CONFLICT DO NOTHING;
        WITH moved AS (
            DELETE FROM ONLY job AS j WHERE j.number = ANY (v_numbers) RETURNING *
        ), compact AS (
            SELECT m.number
            FROM moved AS m
            WHERE m.status = 'completed' AND m.revision BETWEEN 0 AND 1048575 AND m.attempt <= 4095
                AND m.max_attempts <= 4095 AND m.epoch BETWEEN 0 AND 65535
                AND m.deadline - m.created_at BETWEEN 0 AND 2147483647
                AND coalesce(m.started_at - m.created_at, 0) BETWEEN 0 AND 2147483646
        ), whole AS (
            INSERT INTO finished_job
            SELECT m.* FROM moved AS m WHERE m.number NOT IN (SELECT c.number FROM compact AS c)
        ), compacted AS (
            INSERT INTO finished_job (
                number, id, user_id, priority, cost, created_at, completed_at, hold, status, queue, kind, input,
                idempotency_key, idempotency_fingerprint, billed_user, failed_epoch, counts, times, bundle_number,
                packed, result, worker, history, subject
            )
            SELECT
                m.number, m.id, m.user_id, nullif(m.priority, 0), nullif(m.cost, 0), m.created_at, m.completed_at,
                m.hold, m.status, nullif(m.queue, 'background'), m.kind, m.input, m.idempotency_key,
                m.idempotency_fingerprint, m.billed_user, m.failed_epoch,
                m.revision | (m.attempt << 20) | (m.max_attempts << 32) | (m.epoch << 44),
                coalesce(m.started_at - m.created_at + 1, 0) | ((m.deadline - m.created_at) << 31),
                (SELECT b.number FROM bundle_number AS b WHERE b.bundle = m.bundle),
                coalesce(p.packed, m.packed), CASE WHEN p.packed IS NULL THEN m.result END, m.worker,
                m.history, m.subject
            FROM moved AS m
            JOIN compact AS c ON c.number = m.number
            LEFT JOIN unnest(p_numbers, p_packed) AS p (number, packed) ON p.number = m.number
            ORDER BY m.id
        )
        SELECT count(*) INTO v_count FROM moved;
    END IF;
    UPDATE history_pass AS p
    -- Goes back an hour, for jobs that have not ended yet.
    SET reached = CASE
        WHEN cardinality(p_numbers) < p_limit THEN greatest(v_from, first_id_at(p_before - 3600000))
        ELSE coalesce(v_last, v_from)
    END
    WHERE p.name = 'archive';
    RETURN v_count;
END
$$;

-- Moves a failed or cancelled job back to `job`, where it can run again.
CREATE OR REPLACE FUNCTION restore_job(p_id uuid) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    WITH moved AS (
        DELETE FROM finished_job AS j WHERE j.id = p_id AND j.status IN ('failed', 'cancelled') RETURNING *
    )
    INSERT INTO job SELECT * FROM moved;
END
$$;

-- Deletes the journals of jobs that completed before a time, and returns the number of jobs that were looked at. Failed
-- and cancelled jobs keep theirs, for a retry. A job that completes long after its submit keeps its journal as well.
CREATE OR REPLACE FUNCTION delete_journals(p_now bigint, p_before bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_from uuid := begin_history_pass('journals', p_now);
    v_numbers bigint[];
    v_last uuid;
    v_count bigint := 0;
BEGIN
    IF v_from IS NULL THEN
        RETURN 0;
    END IF;
    SELECT
        array_agg(j.number) FILTER (WHERE j.status = 'completed' AND j.completed_at < p_before), max(j.id::text)::uuid,
        count(*)
    INTO v_numbers, v_last, v_count
    FROM (
        SELECT h.number, h.id, h.status, h.completed_at
        FROM job AS h
        WHERE h.id > v_from AND h.id < first_id_at(p_before)
        ORDER BY h.id
        LIMIT p_limit
    ) AS j;
    IF v_count > 0 THEN
        DELETE FROM step AS s WHERE s.job = ANY (v_numbers);
        UPDATE history_pass AS p SET reached = v_last WHERE p.name = 'journals';
    END IF;
    RETURN v_count;
END
$$;

-- Deletes jobs that ended before a time with their journals, and returns their number. A job whose idempotency key is
-- still promised stays.
CREATE OR REPLACE FUNCTION delete_finished_jobs(
    p_now bigint, p_before bigint, p_key_window bigint, p_limit bigint
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_from uuid := begin_history_pass('delete', p_now);
    v_numbers bigint[];
    v_last uuid;
    v_count bigint := 0;
BEGIN
    IF v_from IS NULL THEN
        RETURN 0;
    END IF;
    SELECT array_agg(j.number), max(j.id::text)::uuid INTO v_numbers, v_last
    FROM (
        SELECT h.number, h.id
        FROM job AS h
        WHERE h.id > v_from AND h.id < first_id_at(p_before) AND h.completed_at < p_before
            AND (h.idempotency_key IS NULL OR h.created_at < v_now - p_key_window)
        ORDER BY h.id
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ) AS j;
    IF v_numbers IS NOT NULL THEN
        INSERT INTO ledger_job (job, kind)
        SELECT j.id, j.kind FROM job AS j WHERE j.number = ANY (v_numbers) AND j.cost > 0
        ON CONFLICT DO NOTHING;
        DELETE FROM step AS s WHERE s.job = ANY (v_numbers);
        DELETE FROM job AS j WHERE j.number = ANY (v_numbers);
        GET DIAGNOSTICS v_count = ROW_COUNT;
    END IF;
    UPDATE history_pass AS p
    -- Goes back a day, for jobs that took long and for keys that are still promised.
    SET reached = CASE WHEN v_count < p_limit THEN greatest(v_from, first_id_at(p_before - 86400000)) ELSE v_last END
    WHERE p.name = 'delete';
    RETURN v_count;
END
$$;

-- Deletes model calls that were made before a time, and returns their number.
CREATE OR REPLACE FUNCTION delete_model_calls(p_before bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_count bigint;
BEGIN
    DELETE FROM model_call AS c
    WHERE c.id = ANY (ARRAY(
        SELECT m.id
        FROM model_call AS m
        WHERE m.created_at < p_before AND m.state <> 'running'
        ORDER BY m.created_at
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END
$$;

-- Deletes entries of the audit from before a time, which the trigger lets go from now on, and returns their ids.
CREATE OR REPLACE FUNCTION delete_old_audit(p_before bigint, p_limit bigint) RETURNS SETOF text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    UPDATE audit_retention AS r SET before = p_before WHERE r.before < p_before;
    RETURN QUERY
    DELETE FROM audit AS a
    WHERE a.id = ANY (ARRAY(SELECT n.id FROM audit AS n WHERE n.at < p_before ORDER BY n.at, n.id LIMIT p_limit))
    RETURNING a.id;
END
$$;
