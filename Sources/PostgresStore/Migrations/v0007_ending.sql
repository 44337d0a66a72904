-- Ends attempts without a result: `true` for each that ended by this epoch, now or before, `false` for a lost lease.
-- A pause says that the job is tried again; without one it has failed.
CREATE FUNCTION fail_jobs(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[], p_drop_from bigint[], p_codes text[],
    p_messages text[], p_user_messages text[], p_call_places bigint[], p_call_ids text[], p_call_providers text[],
    p_call_models text[], p_call_input bigint[], p_call_output bigint[], p_call_cache_read bigint[],
    p_call_cache_write bigint[], p_call_costs bigint[]
) RETURNS TABLE (place bigint, is_done boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_job job;
    v_place bigint;
    v_run_at bigint;
BEGIN
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM FROM job WHERE number = ANY (v_numbers) ORDER BY id FOR UPDATE;
    PERFORM lock_balances_of(v_numbers);
    IF cardinality(p_call_places) > 0 THEN
        PERFORM record_calls(
            v_now, p_ids, p_epochs, p_call_places, p_call_ids, p_call_providers, p_call_models, p_call_input,
            p_call_output, p_call_cache_read, p_call_cache_write, p_call_costs);
    END IF;
    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
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
            PERFORM withdraw_job(v_job);
            UPDATE job
            SET status = 'pending', run_at = v_run_at, failed_epoch = epoch, error_code = p_codes[v_place],
                error_message = p_messages[v_place], error_user_message = p_user_messages[v_place],
                revision = revision + 1
            WHERE number = v_job.number;
            PERFORM place_job(v_job, v_run_at, true);
            PERFORM pass_on_slot(v_job);
        END IF;
        RETURN QUERY SELECT v_place, true;
    END LOOP;
END
$$;

-- Gives jobs back to pending without costing an attempt; how many leases were in force.
CREATE FUNCTION hand_back_jobs(p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[]) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_place bigint;
    v_job job;
    v_count bigint := 0;
BEGIN
    PERFORM lock_slots_of(ARRAY(SELECT number FROM job WHERE id = ANY (p_ids)));
    FOR v_place IN
        SELECT a.place FROM unnest(p_ids) WITH ORDINALITY AS a (id, place) ORDER BY a.id
    LOOP
        SELECT * INTO v_job FROM job
        WHERE id = p_ids[v_place] AND epoch = p_epochs[v_place] AND status = 'processing'
        FOR UPDATE;
        CONTINUE WHEN NOT FOUND;
        PERFORM give_back(v_job, p_pauses[v_place], v_job.deaths, v_now);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

-- Ends unfinished jobs; `true` for each that there is and that belongs to whoever asks.
CREATE FUNCTION cancel_jobs(p_now bigint, p_ids uuid[], p_users bigint[])
RETURNS TABLE (place bigint, is_there boolean, has_ended boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_place bigint;
    v_job job;
BEGIN
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_places_of(v_numbers);
    PERFORM FROM job WHERE number = ANY (v_numbers) ORDER BY id FOR UPDATE;
    PERFORM lock_balances_of(v_numbers);
    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
        SELECT * INTO v_job FROM job WHERE id = p_ids[v_place];
        IF v_job.number IS NULL OR v_job.user_id <> p_users[v_place] THEN
            RETURN QUERY SELECT v_place, false, false;
        ELSIF v_job.completed_at IS NOT NULL THEN
            RETURN QUERY SELECT v_place, true, false;
        ELSE
            PERFORM end_job(v_job, 'cancelled', NULL, NULL, NULL, NULL, NULL, v_now);
            RETURN QUERY SELECT v_place, true, true;
        END IF;
    END LOOP;
END
$$;

-- Starts a failed or cancelled job again for a person who asks. Outcomes: `nothing` (no such job of this user),
-- `existing` with the job that stands for it, `short` of credits with the balance, `accepted`.
CREATE FUNCTION retry_job(p_now bigint, p_id uuid, p_user bigint)
RETURNS TABLE (outcome text, earlier uuid, granted bigint, held bigint, used bigint, required bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_job job;
    v_balance balance;
    v_other uuid;
    v_is_blocked boolean := false;
    v_hold bigint;
BEGIN
    SELECT * INTO v_job FROM job WHERE id = p_id;
    IF NOT FOUND OR v_job.user_id <> p_user THEN
        RETURN QUERY SELECT 'nothing', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM lock_lines(ARRAY[v_job.user_id], ARRAY[v_job.concurrency_key]);
    PERFORM lock_slots_of(ARRAY[v_job.number]);
    SELECT * INTO v_job FROM job WHERE id = p_id FOR UPDATE;
    IF v_job.status NOT IN ('failed', 'cancelled') THEN
        RETURN QUERY SELECT 'existing', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    SELECT j.id INTO v_other
    FROM joinable AS k
    JOIN job AS j ON j.number = k.job
    WHERE k.user_id = v_job.user_id AND k.unique_key = v_job.unique_key;
    IF FOUND THEN
        RETURN QUERY SELECT 'existing', v_other, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    SELECT * INTO v_balance FROM balance AS b WHERE b.user_id = v_job.user_id FOR UPDATE;
    IF coalesce(v_balance.granted - v_balance.held - v_balance.used, 0) < v_job.cost THEN
        RETURN QUERY SELECT 'short', NULL::uuid, coalesce(v_balance.granted, 0), coalesce(v_balance.held, 0),
            coalesce(v_balance.used, 0), v_job.cost;
        RETURN;
    END IF;
    IF v_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, created_at)
        VALUES (v_job.user_id, 'hold', v_job.cost, v_job.id, v_now)
        RETURNING ledger.entry INTO v_hold;
        UPDATE balance AS b SET held = b.held + v_job.cost WHERE b.user_id = v_job.user_id;
    END IF;
    DELETE FROM step AS s WHERE s.job = v_job.number AND s.sequence >= v_job.drop_steps_from;
    IF v_job.unique_key IS NOT NULL THEN
        INSERT INTO joinable (user_id, unique_key, job) VALUES (v_job.user_id, v_job.unique_key, v_job.number);
    END IF;
    IF v_job.concurrency_key IS NOT NULL THEN
        v_is_blocked := EXISTS (
            SELECT FROM serial_line AS l WHERE l.user_id = v_job.user_id AND l.concurrency_key = v_job.concurrency_key
        );
        INSERT INTO serial_line (user_id, concurrency_key, job, deadline, holds)
        VALUES (
            v_job.user_id, v_job.concurrency_key, v_job.number, v_now + v_job.time_limit, NOT v_is_blocked);
        -- The one behind it waits for another job than before.
        UPDATE job AS j SET revision = j.revision + 1
        WHERE v_is_blocked AND j.number = (
            SELECT min(l.job)
            FROM serial_line AS l
            WHERE l.user_id = v_job.user_id AND l.concurrency_key = v_job.concurrency_key AND NOT l.holds
                AND l.job > v_job.number
        );
    END IF;
    UPDATE job AS j
    SET status = 'pending', blocked = v_is_blocked, hold = v_hold, deadline = v_now + j.time_limit, attempt = 0,
        interrupted = false, deaths = 0, drop_steps_from = NULL, progress = 0, current_step = NULL, error_code = NULL, error_message = NULL,
        error_user_message = NULL, started_at = NULL, completed_at = NULL, revision = j.revision + 1
    WHERE j.number = v_job.number
    RETURNING * INTO v_job;
    IF NOT v_is_blocked THEN
        PERFORM place_job(v_job, NULL, false);
    END IF;
    RETURN QUERY SELECT 'accepted', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
END
$$;

-- Fails unfinished jobs whose deadline has passed. A job that somebody else has in hand is left for the next time.
CREATE FUNCTION expire_jobs(
    p_now bigint, p_limit bigint, p_code text, p_message text, p_user_message text
) RETURNS TABLE (id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[];
    v_job job;
BEGIN
    SELECT array_agg(l.job) INTO v_numbers
    FROM (
        SELECT c.job
        FROM (
            (SELECT r.job, r.deadline FROM ready AS r WHERE r.deadline <= v_now ORDER BY r.deadline LIMIT p_limit)
            UNION ALL
            (SELECT l.job, l.deadline FROM lease AS l WHERE l.deadline <= v_now ORDER BY l.deadline LIMIT p_limit)
            UNION ALL
            (SELECT s.job, s.deadline FROM schedule AS s WHERE s.deadline <= v_now ORDER BY s.deadline LIMIT p_limit)
            UNION ALL
            (SELECT w.job, w.deadline FROM waiting AS w WHERE w.deadline <= v_now ORDER BY w.deadline LIMIT p_limit)
            UNION ALL
            (
                SELECT b.job, b.deadline
                FROM serial_line AS b
                WHERE b.deadline <= v_now AND NOT b.holds
                ORDER BY b.deadline
                LIMIT p_limit
            )
        ) AS c
        ORDER BY c.deadline
        LIMIT p_limit
    ) AS l;
    IF v_numbers IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_places_of(v_numbers);
    v_numbers := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.completed_at IS NULL AND j.deadline <= v_now
        ORDER BY j.id
        FOR UPDATE SKIP LOCKED
    );
    PERFORM lock_balances_of(v_numbers);
    FOR v_job IN SELECT j.* FROM job AS j WHERE j.number = ANY (v_numbers) ORDER BY j.deadline, j.number LOOP
        -- One that ended before it here may have let it through its line.
        SELECT * INTO v_job FROM job AS j WHERE j.number = v_job.number;
        PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
        RETURN QUERY SELECT v_job.id;
    END LOOP;
END
$$;

-- Deletes finished jobs that ended before a moment; how many. Ids begin with the time at which they were made, so none
-- made after the moment is looked at. A job whose idempotency key may still be asked for stays.
CREATE FUNCTION delete_finished(p_now bigint, p_before bigint, p_key_window bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
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
