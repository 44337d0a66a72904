-- Starts a failed or cancelled job again on request.
--
-- Outcomes: `nothing` when the user has no such job, `existing` with the unfinished job of the same key, `short` of
-- credits with the balance, `accepted`.
CREATE OR REPLACE FUNCTION retry_job(p_now bigint, p_id uuid, p_user bigint, p_audit text DEFAULT NULL)
RETURNS TABLE (outcome text, earlier uuid, granted bigint, held bigint, used bigint, required bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_job job;
    v_balance balance;
    v_other uuid;
    v_is_blocked boolean := false;
    v_hold bigint;
    v_shared_job job;
BEGIN
    SELECT * INTO v_job FROM job WHERE id = p_id;
    IF NOT FOUND OR v_job.user_id <> p_user THEN
        RETURN QUERY SELECT 'nothing', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM restore_job(p_id);
    PERFORM lock_concurrency_keys(ARRAY[v_job.user_id], ARRAY[v_job.concurrency_key]);
    PERFORM lock_permits_of(ARRAY[v_job.number] || ARRAY(SELECT j.number FROM job AS j WHERE j.id = v_job.shared_job));
    PERFORM FROM job AS j WHERE j.id = v_job.shared_job FOR UPDATE;
    IF v_job.shared_key IS NOT NULL THEN
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
    SELECT * INTO v_job FROM ONLY job WHERE id = p_id FOR UPDATE;
    IF NOT FOUND THEN
        -- It is finished, or was moved or deleted in the meantime.
        SELECT * INTO v_job FROM job WHERE id = p_id;
        IF NOT FOUND OR v_job.status IN ('failed', 'cancelled') THEN
            RAISE EXCEPTION 'a job has moved' USING ERRCODE = 'serialization_failure';
        END IF;
    END IF;
    -- The input of a job that was cancelled before it ran may be gone with the cancel.
    IF v_job.status NOT IN ('failed', 'cancelled') OR v_job.epoch = 0 AND v_job.input = 'null' THEN
        RETURN QUERY SELECT 'existing', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    SELECT j.id INTO v_other
    FROM unique_job AS k
    JOIN job AS j ON j.number = k.job
    WHERE k.user_id = v_job.user_id AND k.unique_key = v_job.unique_key;
    IF FOUND THEN
        RETURN QUERY SELECT 'existing', v_other, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM lock_balances(ARRAY[v_job.user_id, v_job.shared_owner]);
    v_balance := balance_of(v_job.user_id);
    IF coalesce(v_balance.granted - v_balance.held - v_balance.used, 0) < v_job.cost THEN
        RETURN QUERY SELECT 'short', NULL::uuid, coalesce(v_balance.granted, 0), coalesce(v_balance.held, 0),
            coalesce(v_balance.used, 0), v_job.cost;
        RETURN;
    END IF;
    IF v_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, created_at)
        VALUES (v_job.user_id, 'hold', v_job.cost, v_job.id, v_now)
        RETURNING ledger.entry INTO v_hold;
        PERFORM change_balances(ARRAY[v_job.user_id], ARRAY[v_job.cost], NULL);
    END IF;
    DELETE FROM step AS s WHERE s.job = v_job.number AND s.sequence >= v_job.drop_steps_from;
    IF v_job.unique_key IS NOT NULL THEN
        INSERT INTO unique_job (user_id, unique_key, job) VALUES (v_job.user_id, v_job.unique_key, v_job.number);
    END IF;
    IF v_job.concurrency_key IS NOT NULL THEN
        v_is_blocked := EXISTS (
            SELECT FROM serialized_job AS l WHERE l.user_id = v_job.user_id
                AND l.concurrency_key = v_job.concurrency_key
        );
        INSERT INTO serialized_job (user_id, concurrency_key, job, deadline, holds)
        VALUES (
            v_job.user_id, v_job.concurrency_key, v_job.number, v_now + v_job.time_limit, NOT v_is_blocked);
        -- The next job of the key now waits for another job.
        UPDATE job AS j SET revision = j.revision + 1
        WHERE v_is_blocked AND j.number = (
            SELECT min(l.job)
            FROM serialized_job AS l
            WHERE l.user_id = v_job.user_id AND l.concurrency_key = v_job.concurrency_key AND NOT l.holds
                AND l.job > v_job.number
        );
    END IF;
    UPDATE job AS j
    SET status = 'pending', blocked = v_is_blocked, hold = v_hold, deadline = v_now + j.time_limit, attempt = 0,
        waits_for = NULL, interrupted = false, deaths = 0, drop_steps_from = NULL, progress = 0, current_step = NULL,
        error_code = NULL, error_message = NULL, error_user_message = NULL, started_at = NULL, completed_at = NULL,
        cancelled_by = NULL, revision = j.revision + 1,
        history = add_event(
            j.history,
            jsonb_build_object(
                'at', v_now, 'event', 'restarted', 'outcome', j.status, 'epoch', j.epoch, 'attempt', j.attempt, 'began',
                j.started_at, 'ended', j.completed_at, 'worker',
                (SELECT w.id FROM worker_name AS w WHERE w.number = j.worker), 'code', j.error_code, 'message',
                left(j.error_message, 200))) || CASE WHEN v_is_blocked THEN add_place('', v_now, 'blocked') ELSE '' END
    WHERE j.number = v_job.number
    RETURNING * INTO v_job;
    IF v_job.shared_key IS NOT NULL AND v_shared_job.number IS NULL AND EXISTS (
        SELECT
        FROM job AS j
        WHERE j.id = v_job.shared_job AND j.user_id = v_job.shared_owner AND j.unique_key = v_job.shared_key
            AND j.status IN ('failed', 'cancelled')
    ) THEN
        PERFORM FROM retry_job(v_now, v_job.shared_job, v_job.shared_owner);
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
    IF v_shared_job.number IS NOT NULL THEN
        PERFORM subscribe_to_shared_job(v_job, v_shared_job, v_now);
    ELSIF NOT v_is_blocked THEN
        PERFORM enqueue_job(v_job, NULL, v_now);
    ELSE
        PERFORM park_jobs(ARRAY[v_job.number], v_now);
    END IF;
    IF p_audit IS NOT NULL THEN
        PERFORM write_audit(v_now, p_audit);
    END IF;
    RETURN QUERY SELECT 'accepted', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
END
$$;
