-- Cancels unfinished jobs. A job that has not run yet loses its input when that is longer than `p_kept_input` bytes.
--
-- `is_there` is true for each job that exists and belongs to the given user; NULL is any user.
CREATE OR REPLACE FUNCTION cancel_jobs(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kept_input bigint, p_cancellers text[], p_audits text[]
) RETURNS TABLE (place bigint, is_there boolean, has_ended boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_place bigint;
    v_job job;
BEGIN
    PERFORM lock_concurrency_keys_of(v_numbers);
    PERFORM lock_permits_of(v_numbers);
    PERFORM lock_queue_rows_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
        SELECT * INTO v_job FROM job WHERE id = p_ids[v_place];
        IF v_job.number IS NULL OR v_job.user_id <> p_users[v_place] THEN
            RETURN QUERY SELECT v_place, false, false;
        ELSIF v_job.completed_at IS NOT NULL THEN
            RETURN QUERY SELECT v_place, true, false;
        ELSE
            PERFORM end_job(v_job, 'cancelled', NULL, NULL, NULL, NULL, NULL, v_now, p_cancellers[v_place]);
            UPDATE job SET input = 'null'
            WHERE number = v_job.number AND epoch = 0 AND attempt = 0 AND octet_length(input) > p_kept_input;
            IF p_audits[v_place] IS NOT NULL THEN
                PERFORM write_audit(v_now, p_audits[v_place]);
            END IF;
            RETURN QUERY SELECT v_place, true, true;
        END IF;
    END LOOP;
END
$$;
