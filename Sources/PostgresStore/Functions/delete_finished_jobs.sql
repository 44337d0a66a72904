-- Deletes jobs that ended before a time, and returns their number.
--
-- Ids begin with the time of submission, so the scan covers only jobs submitted before that time. A job whose
-- idempotency key is still promised stays.
CREATE OR REPLACE FUNCTION delete_finished_jobs(
    p_now bigint, p_before bigint, p_key_window bigint, p_limit bigint
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_end uuid := (lpad(to_hex(greatest(p_before, 0)), 12, '0') || '00000000000000000000')::uuid;
    v_count bigint;
BEGIN
    WITH gone AS (
        DELETE FROM job
        WHERE number = ANY (ARRAY(
            SELECT j.number
            FROM job AS j
            WHERE j.id < v_end AND j.completed_at < p_before
                AND (j.idempotency_key IS NULL OR j.created_at < v_now - p_key_window)
            ORDER BY j.id
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING number
    )
    SELECT count(*) INTO v_count FROM gone;
    RETURN v_count;
END
$$;
