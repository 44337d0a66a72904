-- Pauses of kinds and lanes. A job that would be ready while its kind or its lane is paused is parked: it is in `scheduled`
-- for a time that never comes, and its deadline is that time and what it has left. A blocked job, a subscriber and a job
-- that waits for its time stay where they are, and only their deadlines stand still.

-- The time that never comes.
CREATE OR REPLACE FUNCTION never() RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
    SELECT 4503599627370496
$$;

-- A deadline that stands still.
CREATE OR REPLACE FUNCTION standing_deadline(p_deadline bigint, p_now bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE WHEN p_deadline >= never() THEN p_deadline ELSE never() + greatest(p_deadline - p_now, 0) END
$$;

-- A deadline that goes on.
CREATE OR REPLACE FUNCTION running_deadline(p_deadline bigint, p_now bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE WHEN p_deadline >= never() THEN p_now + p_deadline - never() ELSE p_deadline END
$$;

CREATE OR REPLACE FUNCTION is_paused(p_kind text, p_lane queue) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    RETURN EXISTS (SELECT FROM pause AS p WHERE NOT p.is_ending AND (p.kind = p_kind OR p.lane = p_lane));
END
$$;

-- Does as `is_paused` for a transaction that then stops a job: the pause is not over before that transaction has ended.
CREATE OR REPLACE FUNCTION stops_for_pause(p_kind text, p_lane queue) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM pause AS p WHERE NOT p.is_ending AND (p.kind = p_kind OR p.lane = p_lane) FOR KEY SHARE;
    RETURN FOUND;
END
$$;

-- Parks a pending job that is in no table of pending jobs and holds no permit.
CREATE OR REPLACE FUNCTION park_job(p_job job, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    INSERT INTO scheduled (run_at, job, deadline)
    VALUES (never(), p_job.number, standing_deadline(p_job.deadline, p_now));
    UPDATE job
    SET run_at = never(), waiting = false, waits_for = 'paused', deadline = standing_deadline(p_job.deadline, p_now),
        revision = revision + 1, history = add_place(history, p_now, 'scheduled', NULL, 'paused')
    WHERE number = p_job.number;
END
$$;

-- Parks those of some pending jobs that a pause holds.
CREATE OR REPLACE FUNCTION park_jobs(p_jobs bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_job job;
BEGIN
    IF NOT EXISTS (SELECT FROM pause AS p WHERE NOT p.is_ending) THEN
        RETURN;
    END IF;
    -- In the order of users, in which all transactions lock positions.
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (p_jobs) AND j.status = 'pending' AND j.deadline < never()
            AND stops_for_pause(j.kind, j.queue)
        ORDER BY j.user_id, j.queue, j.number
    LOOP
        -- An earlier job of this loop may have passed its permit on to this one.
        SELECT * INTO v_job FROM job AS j WHERE j.number = v_job.number;
        CONTINUE WHEN v_job.deadline >= never();
        IF v_job.subscribed_to IS NOT NULL OR v_job.blocked OR v_job.run_at IS NOT NULL THEN
            UPDATE job SET deadline = standing_deadline(deadline, p_now) WHERE number = v_job.number;
            UPDATE subscriber SET deadline = standing_deadline(deadline, p_now)
            WHERE shared_job = v_job.subscribed_to AND job = v_job.number;
            UPDATE serialized_job SET deadline = standing_deadline(deadline, p_now)
            WHERE v_job.blocked AND user_id = v_job.user_id AND concurrency_key = v_job.concurrency_key
                AND job = v_job.number;
            UPDATE scheduled SET deadline = standing_deadline(deadline, p_now)
            WHERE run_at = v_job.run_at AND job = v_job.number;
        ELSE
            PERFORM dequeue_job(v_job);
            PERFORM park_job(v_job, p_now);
            PERFORM pass_on_permit(v_job, p_now);
        END IF;
    END LOOP;
END
$$;

-- Lets some jobs of a pause that has ended go on. `p_limit` parked jobs are looked at.
CREATE OR REPLACE FUNCTION resume_jobs(
    p_pause pause, p_now bigint, p_limit bigint, OUT is_done boolean, OUT is_changed boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_looked bigint[] := ARRAY(
        SELECT s.job FROM scheduled AS s
        WHERE s.run_at = never() AND s.job > p_pause.resumed
        ORDER BY s.job
        LIMIT p_limit
    );
    v_free bigint[] := ARRAY(
        SELECT j.number
        FROM unnest(v_looked) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE (j.kind = p_pause.kind OR j.queue = p_pause.lane) AND NOT is_paused(j.kind, j.queue)
    );
    v_parked bigint[] := ARRAY(
        SELECT s.job FROM scheduled AS s
        WHERE s.run_at = never() AND s.job = ANY (v_free)
        ORDER BY s.job
        FOR UPDATE SKIP LOCKED
    );
    -- The first one that another transaction has locked; the next part begins with it.
    v_locked bigint := (SELECT min(a.job) FROM unnest(v_free) AS a (job) WHERE a.job <> ALL (v_parked));
    v_waiting bigint[] := ARRAY(
        SELECT j.number
        FROM (SELECT s.job FROM scheduled AS s WHERE s.deadline >= never() AND s.run_at < never()) AS a
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE (j.kind = p_pause.kind OR j.queue = p_pause.lane) AND NOT is_paused(j.kind, j.queue)
        LIMIT p_limit
    );
    v_standing bigint[] := ARRAY(
        SELECT j.number
        FROM (
            SELECT b.job FROM serialized_job AS b WHERE b.deadline >= never() AND NOT b.holds
            UNION ALL
            SELECT s.job FROM subscriber AS s WHERE s.deadline >= never()
        ) AS a
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE (j.kind = p_pause.kind OR j.queue = p_pause.lane) AND NOT is_paused(j.kind, j.queue)
        LIMIT p_limit
    );
BEGIN
    PERFORM lock_queue_rows_of(v_waiting);
    v_standing := v_standing || v_waiting;
    PERFORM FROM job WHERE number = ANY (v_parked || v_standing) AND subscribed_to IS NULL ORDER BY id FOR UPDATE;
    PERFORM FROM job WHERE number = ANY (v_standing) AND subscribed_to IS NOT NULL ORDER BY id FOR UPDATE;
    UPDATE job
    SET run_at = p_now, waits_for = NULL, deadline = running_deadline(deadline, p_now), revision = revision + 1,
        history = add_place(history, p_now, 'ready')
    WHERE number = ANY (v_parked) AND run_at = never();
    UPDATE scheduled SET run_at = p_now, deadline = running_deadline(deadline, p_now)
    WHERE run_at = never() AND job = ANY (v_parked);
    UPDATE job SET deadline = running_deadline(deadline, p_now)
    WHERE number = ANY (v_standing) AND status = 'pending';
    UPDATE serialized_job SET deadline = running_deadline(deadline, p_now)
    WHERE job = ANY (v_standing) AND deadline >= never();
    UPDATE subscriber SET deadline = running_deadline(deadline, p_now)
    WHERE job = ANY (v_standing) AND deadline >= never();
    UPDATE scheduled SET deadline = running_deadline(deadline, p_now)
    WHERE job = ANY (v_waiting) AND deadline >= never() AND run_at < never();
    is_changed := cardinality(v_parked) + cardinality(v_standing) > 0;
    is_done := v_locked IS NULL AND cardinality(v_looked) < p_limit AND cardinality(v_standing) < p_limit;
    UPDATE pause AS p
    SET is_over = is_done, resumed = coalesce(v_locked - 1, v_looked[cardinality(v_looked)], p.resumed)
    WHERE p.id = p_pause.id;
END
$$;

-- A part of the work of pauses: ends those whose time is over, parks jobs from before a pause, lets jobs go on after it.
--
-- `p_limit` jobs at most change, or three times as many at the end of a pause; a pause that has ended is kept until
-- `p_memory` milliseconds after its begin. Returns whether there is more to do, and whether jobs have become ready.
CREATE OR REPLACE FUNCTION settle_pauses(
    p_now bigint, p_limit bigint, p_memory bigint, OUT has_more boolean, OUT made_ready boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_pause pause;
    v_jobs bigint[];
    v_pending bigint[];
    v_head bigint;
    v_lane queue;
    v_is_over boolean;
BEGIN
    has_more := false;
    made_ready := false;
    UPDATE pause AS p SET is_ending = true WHERE NOT p.is_ending AND p.until <= v_now;
    -- This lock waits for the transactions that still stop jobs for the pause, which began before it ended.
    SELECT * INTO v_pause
    FROM pause AS p
    WHERE p.is_ending AND NOT p.is_over
    ORDER BY p.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        has_more := true;
        SELECT r.is_done, r.is_changed INTO v_is_over, made_ready FROM resume_jobs(v_pause, v_now, p_limit) AS r;
        IF NOT v_is_over THEN
            RETURN;
        END IF;
        DELETE FROM pause AS p WHERE p.is_over AND p.since < v_now - p_memory;
        -- A job that came to its queue beside the begin of the pause was passed over by claims, which begin at the head.
        FOREACH v_lane IN ARRAY enum_range(NULL::queue) LOOP
            v_head := queue_head(v_lane);
            UPDATE ready AS r SET position = v_head, unordered = true WHERE r.queue = v_lane AND r.position < v_head;
            made_ready := made_ready OR FOUND;
        END LOOP;
        RETURN;
    END IF;
    SELECT * INTO v_pause
    FROM pause AS p
    WHERE NOT p.is_ending AND p.seen IS NOT NULL
    ORDER BY p.id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    has_more := true;
    v_jobs := ARRAY(
        SELECT j.number FROM ONLY job AS j WHERE j.number > v_pause.seen ORDER BY j.number LIMIT p_limit
    );
    v_pending := ARRAY(
        SELECT j.number
        FROM ONLY job AS j
        WHERE j.number = ANY (v_jobs) AND j.status = 'pending' AND j.deadline < never()
            AND (j.kind = v_pause.kind OR j.queue = v_pause.lane)
    );
    PERFORM lock_permits_of(v_pending);
    PERFORM lock_queue_rows_of(v_pending);
    PERFORM lock_jobs(v_pending);
    PERFORM park_jobs(v_pending, v_now);
    UPDATE pause AS p
    SET seen = CASE WHEN cardinality(v_jobs) = p_limit THEN v_jobs[cardinality(v_jobs)] END
    WHERE p.id = v_pause.id;
END
$$;
