-- Removes a worker that has stopped; the jobs that it still had go back to pending.
CREATE FUNCTION deregister_worker(p_now bigint, p_worker text) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_job job;
    v_count bigint := 0;
BEGIN
    DELETE FROM worker WHERE id = p_worker RETURNING number INTO v_number;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_slots_of(v_numbers);
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers)
            AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.id
        FOR UPDATE
    LOOP
        PERFORM give_back(v_job, 0, v_job.deaths, v_now);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

-- Declares a worker dead, unless its counter moved: its jobs go back to pending, but those whose workers died so often
-- in a row fail.
CREATE FUNCTION rescue_worker(
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
    PERFORM FROM job AS j WHERE j.number = ANY (v_numbers) ORDER BY j.id FOR UPDATE;
    PERFORM lock_balances_of(v_numbers);
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

-- Adds credits, or takes free ones away; no row when there are not as many. The same operation again answers with the
-- balance as it is.
CREATE FUNCTION grant_credits(
    p_now bigint, p_operation uuid, p_user bigint, p_amount bigint, p_note text, p_starting bigint
) RETURNS TABLE (granted bigint, held bigint, used bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_balance balance;
BEGIN
    SELECT * INTO v_balance FROM balance AS b WHERE b.user_id = p_user FOR UPDATE;
    IF EXISTS (SELECT FROM ledger AS l WHERE l.operation = p_operation) THEN
        RETURN QUERY SELECT v_balance.granted, v_balance.held, v_balance.used;
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        v_balance := ROW(p_user, p_starting, 0, 0);
        IF p_starting::numeric + p_amount < 0 OR p_starting::numeric + p_amount > 9223372036854775807 THEN
            RETURN;
        END IF;
        INSERT INTO ledger (user_id, kind, amount, note, created_at)
        VALUES (p_user, 'grant', p_starting, 'starting credits', v_now);
        INSERT INTO balance (user_id, granted, held, used) VALUES (p_user, p_starting, 0, 0);
    ELSIF v_balance.granted::numeric - v_balance.held - v_balance.used + p_amount < 0
        OR v_balance.granted::numeric + p_amount > 9223372036854775807 THEN
        RETURN;
    END IF;
    INSERT INTO ledger (user_id, kind, amount, note, operation, created_at)
    VALUES (p_user, 'grant', p_amount, p_note, p_operation, v_now);
    UPDATE balance AS b SET granted = b.granted + p_amount WHERE b.user_id = p_user;
    RETURN QUERY SELECT v_balance.granted + p_amount, v_balance.held, v_balance.used;
END
$$;

-- The account of a subject, made at first sight with the number that the subject prints, else with the next one.
CREATE FUNCTION account_for(p_now bigint, p_subject text, p_printed bigint)
RETURNS TABLE (id bigint, created_at bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    -- One after the other, so that numbers have no gaps and two who see a subject first do not meet.
    PERFORM pg_advisory_xact_lock(hashtextextended('account', 0));
    RETURN QUERY SELECT a.id, a.created_at FROM account AS a WHERE a.subject = p_subject;
    IF NOT FOUND THEN
        RETURN QUERY
        INSERT INTO account AS a (id, subject, created_at)
        VALUES (coalesce(p_printed, nextval('account_number')), p_subject, v_now)
        RETURNING a.id, a.created_at;
    END IF;
END
$$;
