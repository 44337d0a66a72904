-- Deletes a user's finished job with its journal, its archive, the passages of a report and their vectors. Returns whether it was
-- deleted or is unfinished; NULL when the user has no such job.
CREATE OR REPLACE FUNCTION delete_job(p_id uuid, p_user bigint, p_source text, p_now bigint) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_job record;
BEGIN
    SELECT j.number, j.id, j.kind, j.cost, j.completed_at INTO v_job
    FROM job AS j
    WHERE j.id = p_id AND j.user_id = p_user
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF v_job.completed_at IS NULL THEN
        RETURN 'unfinished';
    END IF;
    IF v_job.cost > 0 THEN
        INSERT INTO ledger_job (job, kind) VALUES (v_job.id, v_job.kind) ON CONFLICT DO NOTHING;
    END IF;
    PERFORM delete_batch_lines(ARRAY[v_job.id], p_now);
    DELETE FROM passage_vector AS v
    WHERE v.digest IN (
            SELECT p.digest FROM passage AS p WHERE p.kind = 'report' AND p.source = p_source AND p.owner = p_user
        )
        AND NOT EXISTS (SELECT FROM passage AS p WHERE p.digest = v.digest AND p.source <> p_source);
    DELETE FROM passage AS p WHERE p.kind = 'report' AND p.source = p_source AND p.owner = p_user;
    DELETE FROM user_export AS e WHERE e.job = p_id;
    DELETE FROM user_export_part AS e WHERE e.job = p_id;
    DELETE FROM step AS s WHERE s.job = v_job.number;
    DELETE FROM job AS j WHERE j.number = v_job.number;
    RETURN 'deleted';
END
$$;
