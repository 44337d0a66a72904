-- Moving jobs between the tables of pending and running jobs. A pending job is in exactly one of `ready`, `scheduled`,
-- `waiting`, `subscriber` or, when it is blocked, only in `serialized_job`.
--
-- All transactions lock in this order: concurrency keys, permits of kinds, rows in `ready` and `scheduled`, jobs that
-- run themselves by id, subscribers by id, balances, positions.

-- The numbers of the unfinished jobs, from the tables that hold them: `job` also holds those that have just ended.
CREATE OR REPLACE FUNCTION unfinished_jobs() RETURNS SETOF bigint
LANGUAGE sql STABLE
AS $$
    SELECT job FROM ready
    UNION ALL SELECT job FROM lease
    UNION ALL SELECT job FROM scheduled
    UNION ALL SELECT job FROM waiting
    UNION ALL SELECT job FROM subscriber
    UNION ALL SELECT job FROM serialized_job WHERE NOT holds
$$;

-- Makes a pending job wait for its time, for the end of a pause, for a permit of its kind, or for a worker.
CREATE OR REPLACE FUNCTION enqueue_job(p_job job, p_run_at bigint, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_is_paused boolean := stops_for_pause(p_job.kind, p_job.queue);
    v_deadline bigint := p_job.deadline;
BEGIN
    IF v_is_paused THEN
        p_job.deadline := standing_deadline(p_job.deadline, p_now);
    ELSE
        p_job.deadline := running_deadline(p_job.deadline, p_now);
    END IF;
    IF p_job.deadline <> v_deadline AND (p_run_at IS NOT NULL OR NOT v_is_paused) THEN
        UPDATE job SET deadline = p_job.deadline WHERE number = p_job.number;
    END IF;
    IF p_run_at IS NOT NULL THEN
        INSERT INTO scheduled (run_at, job, deadline) VALUES (p_run_at, p_job.number, p_job.deadline);
    ELSIF v_is_paused THEN
        PERFORM park_job(p_job, p_now);
    ELSIF p_job.limited AND NOT take_permit(p_job.kind, p_job.user_id) THEN
        INSERT INTO waiting (kind, user_id, priority, job, deadline)
        VALUES (p_job.kind, p_job.user_id, p_job.priority, p_job.number, p_job.deadline);
        UPDATE job SET waiting = true, history = add_place(history, p_now, 'waiting') WHERE number = p_job.number;
        PERFORM add_to_user_concurrency(p_job.kind, p_job.user_id, 0, 1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        PERFORM enter_ready(p_job);
    END IF;
END
$$;

-- Removes an unfinished job from the table that holds it: `lease`, `subscriber`, `scheduled`, `waiting` or `ready`.
--
-- Its permit is free afterwards; `pass_on_permit` gives it to the next job, once this job had its chance to return.
CREATE OR REPLACE FUNCTION dequeue_job(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    IF holds_permit(p_job) THEN
        PERFORM add_to_user_concurrency(p_job.kind, p_job.user_id, -1, 0);
    END IF;
    IF p_job.status = 'processing' THEN
        DELETE FROM lease WHERE worker = p_job.worker AND job = p_job.number;
    ELSIF p_job.subscribed_to IS NOT NULL THEN
        DELETE FROM subscriber WHERE shared_job = p_job.subscribed_to AND job = p_job.number;
        -- Keeps the progress of the shared job that the owner has seen.
        UPDATE job AS j
        SET progress = shared.progress, current_step = shared.current_step, attempt = shared.attempt,
            started_at = CASE WHEN shared.started_at IS NOT NULL THEN greatest(shared.started_at, j.created_at) END,
            revision = j.revision + shared.revision - j.shared_job_revision, subscribed_to = NULL,
            shared_job_revision = NULL
        FROM job AS shared
        WHERE j.number = p_job.number AND shared.number = p_job.subscribed_to;
    ELSIF p_job.blocked THEN
        NULL;
    ELSIF p_job.run_at IS NOT NULL THEN
        DELETE FROM scheduled WHERE run_at = p_job.run_at AND job = p_job.number;
    ELSIF p_job.waiting THEN
        DELETE FROM waiting
        WHERE kind = p_job.kind AND user_id = p_job.user_id AND priority = p_job.priority AND job = p_job.number;
        PERFORM add_to_user_concurrency(p_job.kind, p_job.user_id, 0, -1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        PERFORM leave_ready(p_job);
    END IF;
END
$$;

-- Ends an unfinished job without a result and frees its permit or lease, its credits and its keys.
CREATE OR REPLACE FUNCTION end_job(
    p_job job, p_status job_status, p_failed_epoch bigint, p_drop_steps_from bigint, p_code text, p_message text,
    p_user_message text, p_now bigint, p_cancelled_by text DEFAULT NULL
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_is_heard boolean;
BEGIN
    PERFORM dequeue_job(p_job);
    UPDATE job
    SET status = p_status, blocked = false, waiting = false, run_at = NULL, drop_steps_from = p_drop_steps_from,
        failed_epoch = coalesce(p_failed_epoch, failed_epoch),
        error_code = p_code, error_message = p_message, error_user_message = p_user_message, completed_at = p_now,
        cancelled_by = p_cancelled_by, deadline = running_deadline(deadline, p_now), revision = revision + 1
    WHERE number = p_job.number
    RETURNING EXISTS (SELECT FROM webhook_endpoint AS e WHERE e.user_id IN (p_job.user_id, -2)) INTO v_is_heard;
    IF v_is_heard THEN
        PERFORM store_webhooks(ARRAY[p_job.number]);
    END IF;
    IF p_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        VALUES (p_job.user_id, 'release', p_job.cost, p_job.id, p_job.hold, p_now);
        PERFORM change_balances(ARRAY[p_job.user_id], ARRAY[-p_job.cost], NULL);
    END IF;
    IF p_job.unique_key IS NOT NULL THEN
        DELETE FROM unique_job WHERE user_id = p_job.user_id AND unique_key = p_job.unique_key AND job = p_job.number;
        PERFORM end_subscribers(ARRAY[p_job.number], p_now);
    END IF;
    PERFORM pass_on_permit(p_job, p_now);
    IF p_job.concurrency_key IS NOT NULL THEN
        PERFORM pass_on_concurrency_keys(ARRAY[p_job.number], p_now);
    END IF;
END
$$;

-- Locks jobs that may end, their subscribers, and the shared jobs to which they subscribe. Returns the numbers of the
-- jobs and their subscribers.
CREATE OR REPLACE FUNCTION lock_jobs(p_jobs bigint[]) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_shared_jobs bigint[] := ARRAY(
        SELECT j.subscribed_to
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.subscribed_to IS NOT NULL
    );
    v_subscribers bigint[];
BEGIN
    PERFORM FROM job WHERE number = ANY (p_jobs || v_shared_jobs) AND subscribed_to IS NULL ORDER BY id FOR UPDATE;
    -- No job can subscribe to a locked job.
    v_subscribers := ARRAY(SELECT s.job FROM subscriber AS s WHERE s.shared_job = ANY (p_jobs));
    IF cardinality(v_subscribers) > 0 OR cardinality(v_shared_jobs) > 0 THEN
        PERFORM FROM job WHERE number = ANY (p_jobs || v_subscribers) AND subscribed_to IS NOT NULL
        ORDER BY id FOR UPDATE;
    END IF;
    RETURN p_jobs || v_subscribers;
END
$$;

-- Locks the rows of pending jobs in `ready` and `scheduled`, so that no claim takes them.
CREATE OR REPLACE FUNCTION lock_queue_rows_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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
    CROSS JOIN LATERAL (SELECT FROM scheduled AS s WHERE s.run_at = j.run_at AND s.job = j.number FOR UPDATE) AS s
    WHERE j.status = 'pending' AND j.run_at IS NOT NULL;
END
$$;
