-- Where pending jobs wait: in `ready`, in `schedule`, or blocked in `serial_line`.

-- The order in which everybody locks: lines of serial keys, slots of kinds, places of pending jobs, jobs by their ids,
-- balances, turns.

-- Waits for the lines that some jobs stand in.
CREATE FUNCTION lock_lines_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM serial_line) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(l.hash)
    FROM (
        SELECT DISTINCT hashtextextended(j.concurrency_key, j.user_id) AS hash
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.concurrency_key IS NOT NULL
        ORDER BY 1
    ) AS l;
END
$$;

-- Locks the places of pending jobs, so that no claim takes them meanwhile.
CREATE FUNCTION lock_places_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    PERFORM FROM (
        SELECT j.* FROM unnest(p_jobs) AS a (job) CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job) AS j
    ) AS j
    CROSS JOIN LATERAL (
        SELECT
        FROM ready AS r
        WHERE r.user_id = j.user_id AND r.queue = j.queue AND r.priority = j.priority AND r.job = j.number
        FOR UPDATE
    ) AS r
    WHERE j.status = 'pending';
    PERFORM FROM (
        SELECT j.* FROM unnest(p_jobs) AS a (job) CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job) AS j
    ) AS j
    CROSS JOIN LATERAL (SELECT FROM schedule AS s WHERE s.run_at = j.run_at AND s.job = j.number FOR UPDATE) AS s
    WHERE j.status = 'pending' AND j.run_at IS NOT NULL;
END
$$;

-- Locks the balances of the users who pay for some jobs.
CREATE FUNCTION lock_balances_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    PERFORM FROM balance AS b
    WHERE b.user_id IN (
        SELECT j.user_id
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.cost > 0
    )
    ORDER BY b.user_id
    FOR UPDATE;
END
$$;

-- Lets a job wait for its time, for a slot of its kind, or for a worker. A job that ran before, and so is returning, had its place in the order
-- of users: it comes back to where the lane has come to, and its user is not moved behind for it.
CREATE FUNCTION place_job(p_job job, p_run_at bigint, p_is_returning boolean) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF p_run_at IS NOT NULL THEN
        INSERT INTO schedule (run_at, job, deadline) VALUES (p_run_at, p_job.number, p_job.deadline);
    ELSIF p_job.limited AND NOT take_slot(p_job.kind, p_job.user_id) THEN
        INSERT INTO waiting (kind, user_id, priority, job, deadline)
        VALUES (p_job.kind, p_job.user_id, p_job.priority, p_job.number, p_job.deadline);
        UPDATE job SET waiting = true WHERE number = p_job.number;
        PERFORM add_to_share(p_job.kind, p_job.user_id, 0, 1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        PERFORM enter_ready(p_job, p_is_returning);
    END IF;
END
$$;

CREATE FUNCTION enter_ready(p_job job, p_is_returning boolean) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_rank bigint := queue_time(p_job.queue);
BEGIN
    IF NOT p_is_returning THEN
        INSERT INTO turn AS t (user_id, queue, rank) VALUES (p_job.user_id, p_job.queue, v_rank)
        ON CONFLICT (user_id, queue) DO UPDATE SET rank = greatest(t.rank + 1, excluded.rank)
        RETURNING t.rank INTO v_rank;
    END IF;
    INSERT INTO ready (queue, rank, job, user_id, priority, deadline, unordered)
    VALUES (p_job.queue, v_rank, p_job.number, p_job.user_id, p_job.priority, p_job.deadline, true);
END
$$;

-- Takes a job out of whatever keeps it: a worker's hands or a place among the pending. Its slot is free then; who gets
-- it is decided by `pass_on_slot`, after the job itself had its chance to come back.
CREATE FUNCTION withdraw_job(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    IF holds_slot(p_job) THEN
        PERFORM add_to_share(p_job.kind, p_job.user_id, -1, 0);
    END IF;
    IF p_job.status = 'processing' THEN
        DELETE FROM lease WHERE worker = p_job.worker AND job = p_job.number;
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
        UPDATE turn SET rank = rank - 1 WHERE user_id = p_job.user_id AND queue = p_job.queue;
    END IF;
END
$$;

-- Takes jobs that have ended out of their lines, and lets the next of each line go ahead. The lines are locked.
CREATE FUNCTION pass_on(p_jobs bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_left record;
    v_next job;
BEGIN
    FOR v_left IN
        WITH gone AS (
            DELETE FROM serial_line AS l
            USING (
                SELECT j.user_id, j.concurrency_key, j.number
                FROM unnest(p_jobs) AS a (job)
                CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
                WHERE j.concurrency_key IS NOT NULL
            ) AS j
            WHERE l.user_id = j.user_id AND l.concurrency_key = j.concurrency_key AND l.job = j.number
            RETURNING l.user_id, l.concurrency_key, l.job, l.holds
        )
        SELECT * FROM gone ORDER BY user_id, job
    LOOP
        IF NOT v_left.holds THEN
            -- The one behind it waits for another job than before.
            UPDATE job SET revision = revision + 1
            WHERE number = (
                SELECT l.job
                FROM serial_line AS l
                WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND NOT l.holds
                    AND l.job > v_left.job
                ORDER BY l.job
                LIMIT 1
            );
            CONTINUE;
        END IF;
        UPDATE serial_line SET holds = true
        WHERE user_id = v_left.user_id AND concurrency_key = v_left.concurrency_key AND job = (
            SELECT min(l.job)
            FROM serial_line AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key
        );
        CONTINUE WHEN NOT FOUND;
        UPDATE job AS j
        SET blocked = false, run_at = CASE WHEN j.run_at > p_now THEN j.run_at END, revision = j.revision + 1
        WHERE j.number = (
            SELECT l.job
            FROM serial_line AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND l.holds
        )
        RETURNING * INTO v_next;
        PERFORM place_job(v_next, v_next.run_at, false);
    END LOOP;
END
$$;

-- Ends an unfinished job without a result and frees what it held: its place or lease, its credits, its keys.
CREATE FUNCTION end_job(
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
        UPDATE balance SET held = held - p_job.cost WHERE user_id = p_job.user_id;
    END IF;
    IF p_job.unique_key IS NOT NULL THEN
        DELETE FROM joinable WHERE user_id = p_job.user_id AND unique_key = p_job.unique_key AND job = p_job.number;
    END IF;
    PERFORM pass_on_slot(p_job);
    IF p_job.concurrency_key IS NOT NULL THEN
        PERFORM pass_on(ARRAY[p_job.number], p_now);
    END IF;
END
$$;

-- Back to pending without the cost of an attempt; the next run continues this one.
CREATE FUNCTION give_back(p_job job, p_pause bigint, p_deaths integer, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_run_at bigint := CASE WHEN p_pause > 0 THEN p_now + p_pause END;
BEGIN
    PERFORM withdraw_job(p_job);
    UPDATE job
    SET status = 'pending', run_at = v_run_at, attempt = attempt - 1, interrupted = true, deaths = p_deaths,
        revision = revision + 1
    WHERE number = p_job.number;
    PERFORM place_job(p_job, v_run_at, true);
    PERFORM pass_on_slot(p_job);
END
$$;
