-- Stores progress reports, and returns the number of changed jobs.
CREATE OR REPLACE FUNCTION report_progress(
    p_ids uuid[], p_epochs bigint[], p_progress bigint[], p_steps text[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_changed bigint;
BEGIN
    UPDATE job AS j
    SET progress = greatest(j.progress, a.progress), current_step = a.step, revision = j.revision + 1
    FROM unnest(p_ids, p_epochs, p_progress, p_steps) AS a (id, epoch, progress, step)
    WHERE j.id = a.id AND j.epoch = a.epoch AND j.status = 'processing'
        AND (j.progress < a.progress OR j.current_step IS DISTINCT FROM a.step);
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    RETURN v_changed;
END
$$;
