-- Ends attempts without a result. `is_done` is true for each attempt that this epoch ended, now or in an earlier call,
-- and false for a lost lease.
--
-- With a pause the job is tried again after it; without one it has failed.
CREATE OR REPLACE FUNCTION fail_jobs(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[], p_drop_from bigint[], p_codes text[],
    p_messages text[], p_user_messages text[]
) RETURNS TABLE (place bigint, is_done boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_job job;
    v_place bigint;
    v_run_at bigint;
BEGIN
    PERFORM lock_concurrency_keys_of(v_numbers);
    PERFORM lock_permits_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    -- In the order of users, in which all transactions lock positions.
    FOR v_place IN
        SELECT a.place
        FROM unnest(p_ids) WITH ORDINALITY AS a (id, place)
        LEFT JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j ON true
        ORDER BY j.user_id, j.queue, a.place
    LOOP
        SELECT * INTO v_job FROM job WHERE id = p_ids[v_place];
        IF v_job.failed_epoch = p_epochs[v_place] THEN
            RETURN QUERY SELECT v_place, true;
            CONTINUE;
        END IF;
        IF v_job.number IS NULL OR v_job.status <> 'processing' OR v_job.epoch <> p_epochs[v_place] THEN
            RETURN QUERY SELECT v_place, false;
            CONTINUE;
        END IF;
        IF p_pauses[v_place] IS NULL THEN
            PERFORM end_job(
                v_job, 'failed', v_job.epoch, p_drop_from[v_place], p_codes[v_place], p_messages[v_place],
                p_user_messages[v_place], v_now);
        ELSE
            DELETE FROM step
            WHERE job = v_job.number AND p_drop_from[v_place] IS NOT NULL AND sequence >= p_drop_from[v_place];
            v_run_at := CASE WHEN p_pauses[v_place] > 0 THEN v_now + p_pauses[v_place] END;
            PERFORM dequeue_job(v_job);
            UPDATE job
            SET status = 'pending', run_at = v_run_at, failed_epoch = epoch, error_code = p_codes[v_place],
                error_message = p_messages[v_place], error_user_message = p_user_messages[v_place],
                revision = revision + 1,
                history = history_of_returned(
                    v_job, v_now, 'failed', p_codes[v_place], p_messages[v_place], NULL, v_run_at, 'retry')
            WHERE number = v_job.number;
            PERFORM enqueue_job(v_job, v_run_at, v_now);
            PERFORM pass_on_permit(v_job, v_now);
        END IF;
        RETURN QUERY SELECT v_place, true;
    END LOOP;
END
$$;
