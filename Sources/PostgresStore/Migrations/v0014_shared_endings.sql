-- The functions that end jobs, with what shared work adds to them.

-- Takes a job out of whatever keeps it: a worker's hands or a place among the pending. Its slot is free then; who gets
-- it is decided by `pass_on_slot`, after the job itself had its chance to come back.
CREATE OR REPLACE FUNCTION withdraw_job(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF holds_slot(p_job) THEN
        PERFORM add_to_share(p_job.kind, p_job.user_id, -1, 0);
    END IF;
    IF p_job.status = 'processing' THEN
        DELETE FROM lease WHERE worker = p_job.worker AND job = p_job.number;
    ELSIF p_job.following IS NOT NULL THEN
        DELETE FROM subscriber WHERE sharedJob = p_job.following AND job = p_job.number;
        -- What its owner saw of the leader stays.
        UPDATE job AS j
        SET progress = l.progress, current_step = l.current_step, attempt = l.attempt,
            started_at = CASE WHEN l.started_at IS NOT NULL THEN greatest(l.started_at, j.created_at) END,
            revision = j.revision + l.revision - j.shared_job_revision, following = NULL, shared_job_revision = NULL
        FROM job AS l
        WHERE j.number = p_job.number AND l.number = p_job.following;
    ELSIF p_job.blocked THEN
        NULL;
    ELSIF p_job.run_at IS NOT NULL THEN
        DELETE FROM schedule WHERE run_at = p_job.run_at AND job = p_job.number;
    ELSIF p_job.waiting THEN
        DELETE FROM waiting
        WHERE kind = p_job.kind AND user_id = p_job.user_id AND priority = p_job.priority AND job = p_job.number;
        PERFORM add_to_share(p_job.kind, p_job.user_id, 0, -1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        DELETE FROM ready
        WHERE user_id = p_job.user_id AND queue = p_job.queue AND priority = p_job.priority AND job = p_job.number;
        -- A slot that nobody will use: the user's next job stands one place further ahead.
        UPDATE turn AS t SET rank = t.rank - 1, changes = t.changes + 1, era = (t.changes + 1) / 16
        WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
            AND t.era = (
                SELECT n.era FROM turn AS n WHERE n.user_id = p_job.user_id AND n.queue = p_job.queue
                ORDER BY n.era DESC LIMIT 1
            );
    END IF;
END
$$;

-- Ends an unfinished job without a result and frees what it held: its place or lease, its credits, its keys.
CREATE OR REPLACE FUNCTION end_job(
    p_job job, p_status job_status, p_failed_epoch bigint, p_drop_steps_from bigint, p_code text, p_message text,
    p_user_message text, p_now bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    PERFORM withdraw_job(p_job);
    UPDATE job
    SET status = p_status, blocked = false, waiting = false, run_at = NULL, drop_steps_from = p_drop_steps_from,
        failed_epoch = coalesce(p_failed_epoch, failed_epoch),
        error_code = p_code, error_message = p_message, error_user_message = p_user_message, completed_at = p_now,
        revision = revision + 1
    WHERE number = p_job.number;
    IF p_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        VALUES (p_job.user_id, 'release', p_job.cost, p_job.id, p_job.hold, p_now);
        PERFORM change_balances(ARRAY[p_job.user_id], ARRAY[-p_job.cost], NULL);
    END IF;
    IF p_job.unique_key IS NOT NULL THEN
        DELETE FROM joinable WHERE user_id = p_job.user_id AND unique_key = p_job.unique_key AND job = p_job.number;
        PERFORM end_subscribers(ARRAY[p_job.number], p_now);
    END IF;
    PERFORM pass_on_slot(p_job);
    IF p_job.concurrency_key IS NOT NULL THEN
        PERFORM pass_on(ARRAY[p_job.number], p_now);
    END IF;
END
$$;

-- Stores results, settles holds and applies effects: `done` for each job that is completed by this epoch, now or
-- before, else `lost`.
CREATE OR REPLACE FUNCTION complete_jobs(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_results text[], p_call_places bigint[], p_call_ids text[],
    p_call_providers text[], p_call_models text[], p_call_input bigint[], p_call_output bigint[],
    p_call_cache_read bigint[], p_call_cache_write bigint[], p_call_costs bigint[]
) RETURNS TABLE (place bigint, is_done boolean, made_ready boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_places bigint[];
    v_in_line bigint[];
    v_limited bigint[];
    v_shared_jobs bigint[];
    v_numbers bigint[];
    v_job job;
BEGIN
    IF EXISTS (SELECT FROM serial_line) OR EXISTS (SELECT FROM kind_limit) OR EXISTS (SELECT FROM subscriber) THEN
        v_numbers := ARRAY(
            SELECT j.number
            FROM unnest(p_ids) AS a (id)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j
        );
        PERFORM lock_lines_of(v_numbers);
        PERFORM lock_slots_of(v_numbers);
        IF EXISTS (SELECT FROM subscriber AS f WHERE f.sharedJob = ANY (v_numbers)) THEN
            PERFORM lock_balances_of(lock_jobs(v_numbers));
        END IF;
    END IF;
    IF cardinality(p_call_places) > 0 THEN
        PERFORM FROM (
            SELECT
            FROM unnest(p_ids) AS a (id)
            JOIN job AS j ON j.id = a.id
            FOR UPDATE OF j
        ) AS locked;
        PERFORM record_calls(
            v_now, p_ids, p_epochs, p_call_places, p_call_ids, p_call_providers, p_call_models, p_call_input,
            p_call_output, p_call_cache_read, p_call_cache_write, p_call_costs);
    END IF;
    WITH done AS (
        UPDATE job AS j
        SET status = 'completed',
            progress = 100,
            current_step = NULL,
            error_code = NULL,
            error_message = NULL,
            error_user_message = NULL,
            result = a.result,
            completed_at = v_now,
            revision = j.revision + 1
        FROM unnest(p_ids, p_epochs, p_results) WITH ORDINALITY AS a (id, epoch, result, place)
        WHERE j.id = a.id AND j.epoch = a.epoch AND j.status = 'processing'
        RETURNING a.place, j.number, j.id, j.user_id, j.cost, j.hold, j.worker, j.concurrency_key, j.unique_key, j.limited
    ), left_worker AS (
        DELETE FROM lease AS l USING done AS d WHERE l.worker = d.worker AND l.job = d.number
    ), left_joiners AS (
        DELETE FROM joinable AS k
        USING done AS d
        WHERE k.user_id = d.user_id AND k.unique_key = d.unique_key AND k.job = d.number
    ), settled AS (
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        SELECT d.user_id, 'settle', d.cost, d.id, d.hold, v_now FROM done AS d WHERE d.cost > 0
    ), charged AS (
        UPDATE balance AS b
        SET held = b.held - s.amount, used = b.used + s.amount
        FROM (
            SELECT d.user_id, sum(d.cost)::bigint AS amount FROM done AS d WHERE d.cost > 0 GROUP BY 1 ORDER BY 1
        ) AS s
        WHERE b.user_id = s.user_id
    )
    SELECT
        array_agg(d.place), array_agg(d.number) FILTER (WHERE d.concurrency_key IS NOT NULL),
        array_agg(d.number) FILTER (WHERE d.limited), array_agg(d.number) FILTER (WHERE d.unique_key IS NOT NULL)
    INTO v_places, v_in_line, v_limited, v_shared_jobs
    FROM done AS d;
    IF v_shared_jobs IS NOT NULL THEN
        PERFORM end_subscribers(v_shared_jobs, v_now);
    END IF;
    IF v_limited IS NOT NULL THEN
        FOR v_job IN SELECT j.* FROM job AS j WHERE j.number = ANY (v_limited) ORDER BY j.user_id, j.number LOOP
            PERFORM add_to_share(v_job.kind, v_job.user_id, -1, 0);
            PERFORM pass_on_slot(v_job);
        END LOOP;
    END IF;
    IF v_in_line IS NOT NULL THEN
        PERFORM pass_on(v_in_line, v_now);
    END IF;
    IF v_places IS NOT NULL AND cardinality(v_places) = cardinality(p_ids) THEN
        RETURN QUERY SELECT a.place, true, coalesce(v_in_line, v_limited) IS NOT NULL
        FROM unnest(v_places) AS a (place);
        RETURN;
    END IF;
    RETURN QUERY
    SELECT a.place, coalesce(j.status = 'completed' AND j.epoch = a.epoch, false),
        coalesce(v_in_line, v_limited) IS NOT NULL
    FROM unnest(p_ids, p_epochs) WITH ORDINALITY AS a (id, epoch, place)
    LEFT JOIN job AS j ON j.id = a.id;
END
$$;

-- Ends attempts without a result: `true` for each that ended by this epoch, now or before, `false` for a lost lease.
-- A pause says that the job is tried again; without one it has failed.
CREATE OR REPLACE FUNCTION fail_jobs(
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
    PERFORM lock_balances_of(lock_jobs(v_numbers));
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

-- Ends unfinished jobs; `true` for each that there is and that belongs to whoever asks.
CREATE OR REPLACE FUNCTION cancel_jobs(p_now bigint, p_ids uuid[], p_users bigint[])
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
    PERFORM lock_balances_of(lock_jobs(v_numbers));
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

-- Declares a worker dead, unless its counter moved: its jobs go back to pending, but those whose workers died so often
-- in a row fail.
CREATE OR REPLACE FUNCTION rescue_worker(
    p_now bigint, p_worker text, p_beats bigint, p_deaths_allowed bigint, p_code text, p_message text,
    p_user_message text
) RETURNS TABLE (id uuid, is_poisoned boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_job job;
BEGIN
    -- Waits for a claim that is under way, and keeps out later ones.
    DELETE FROM worker AS w WHERE w.id = p_worker AND w.beats = p_beats RETURNING w.number INTO v_number;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.number
    LOOP
        IF v_job.deaths + 1 < p_deaths_allowed THEN
            PERFORM give_back(v_job, 0, v_job.deaths + 1, v_now);
            RETURN QUERY SELECT v_job.id, false;
        ELSE
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
            RETURN QUERY SELECT v_job.id, true;
        END IF;
    END LOOP;
END
$$;

-- Fails unfinished jobs whose deadline has passed. A job that somebody else has in hand is left for the next time.
CREATE OR REPLACE FUNCTION expire_jobs(
    p_now bigint, p_limit bigint, p_code text, p_message text, p_user_message text
) RETURNS TABLE (id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[];
    v_subscribers bigint[];
    v_locked bigint[];
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
            UNION ALL
            (SELECT f.job, f.deadline FROM subscriber AS f WHERE f.deadline <= v_now ORDER BY f.deadline LIMIT p_limit)
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
    v_subscribers := ARRAY(
        SELECT j.number FROM job AS j WHERE j.number = ANY (v_numbers) AND j.following IS NOT NULL
    );
    v_locked := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.following IS NULL AND j.completed_at IS NULL AND (
            j.number = ANY (v_numbers)
            OR j.number = ANY (ARRAY(SELECT f.following FROM job AS f WHERE f.number = ANY (v_subscribers))))
        ORDER BY j.id
        FOR UPDATE SKIP LOCKED
    );
    -- A follower goes with its leader: whoever ends it has that one's lock.
    v_numbers := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.completed_at IS NULL AND j.deadline <= v_now
            AND coalesce(j.following, j.number) = ANY (v_locked)
    );
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_job IN SELECT j.* FROM job AS j WHERE j.number = ANY (v_numbers) ORDER BY j.deadline, j.number LOOP
        -- One that ended before it here may have let it through its line, or have ended it.
        SELECT * INTO v_job FROM job AS j WHERE j.number = v_job.number;
        IF v_job.completed_at IS NULL THEN
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
        END IF;
        RETURN QUERY SELECT v_job.id;
    END LOOP;
END
$$;

-- Starts a failed or cancelled job again for a person who asks. Outcomes: `nothing` (no such job of this user),
-- `existing` with the job that stands for it, `short` of credits with the balance, `accepted`.
CREATE OR REPLACE FUNCTION retry_job(p_now bigint, p_id uuid, p_user bigint)
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
    v_shared_job job;
BEGIN
    SELECT * INTO v_job FROM job WHERE id = p_id;
    IF NOT FOUND OR v_job.user_id <> p_user THEN
        RETURN QUERY SELECT 'nothing', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM lock_lines(ARRAY[v_job.user_id], ARRAY[v_job.concurrency_key]);
    PERFORM lock_slots_of(ARRAY[v_job.number] || ARRAY(SELECT j.number FROM job AS j WHERE j.id = v_job.sharedJob));
    PERFORM FROM job AS j WHERE j.id = v_job.sharedJob FOR UPDATE;
    IF v_job.shared_key IS NOT NULL THEN
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
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
    IF v_job.shared_key IS NOT NULL AND v_shared_job.number IS NULL AND EXISTS (
        SELECT
        FROM job AS j
        WHERE j.id = v_job.sharedJob AND j.user_id = v_job.shared_owner AND j.unique_key = v_job.shared_key
            AND j.status IN ('failed', 'cancelled')
    ) THEN
        PERFORM FROM retry_job(v_now, v_job.sharedJob, v_job.shared_owner);
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
    IF v_shared_job.number IS NOT NULL THEN
        PERFORM join_shared_job(v_job, v_shared_job);
    ELSIF NOT v_is_blocked THEN
        PERFORM place_job(v_job, NULL, false);
    END IF;
    RETURN QUERY SELECT 'accepted', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
END
$$;
