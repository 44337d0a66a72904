-- Removes a worker that has stopped, and releases the jobs that it still had.
CREATE OR REPLACE FUNCTION deregister_worker(p_now bigint, p_worker text) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_job job;
    v_count bigint := 0;
BEGIN
    PERFORM lock_claims(p_worker);
    DELETE FROM worker WHERE id = p_worker RETURNING number INTO v_number;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_permits_of(v_numbers);
    PERFORM FROM job WHERE number = ANY (v_numbers) ORDER BY id FOR UPDATE;
    -- In the order of users, in which all transactions lock positions.
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.user_id, j.queue, j.number
    LOOP
        PERFORM release_job(v_job, 0, v_job.deaths, v_now);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;
