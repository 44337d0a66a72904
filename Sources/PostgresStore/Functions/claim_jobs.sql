-- Claims ready jobs of each queue for a worker, up to a limit.
--
-- The first row says whether the worker is registered, when the next scheduled job becomes due and how far each queue
-- has come; each further row is a claimed job. No ready job has a position below `p_from_…`, so the scan begins
-- there. `p_lost` names earlier claims of this worker whose answer was lost; their jobs are returned too.
CREATE OR REPLACE FUNCTION claim_jobs(
    p_now bigint, p_worker text, p_claim bigint, p_lost bigint[], p_interactive bigint, p_background bigint,
    p_from_interactive bigint, p_from_background bigint
) RETURNS TABLE (
    is_known boolean, next_due bigint, reached_interactive bigint, reached_background bigint, made_ready boolean,
    id uuid, epoch bigint, user_id bigint, kind text, input text, bundle text, queue text, attempt bigint,
    max_attempts bigint, progress smallint, created_at bigint, deadline bigint, request_id text
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_worker bigint;
    v_earlier bigint[];
    v_interactive bigint[];
    v_background bigint[];
    v_reached bigint;
BEGIN
    -- A rescue of this worker waits for this claim to commit, and then finds its leases.
    SELECT w.number INTO v_worker FROM worker AS w WHERE w.id = p_worker FOR KEY SHARE;
    is_known := FOUND;
    made_ready := false;
    IF NOT FOUND THEN
        reached_interactive := 0;
        reached_background := 0;
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT i.last_value, b.last_value, (SELECT min(s.run_at) FROM scheduled AS s)
    INTO reached_interactive, reached_background, next_due
    FROM queue_head_interactive AS i, queue_head_background AS b;
    IF next_due <= v_now THEN
        made_ready := enqueue_due_jobs(v_now);
        SELECT min(s.run_at) INTO next_due FROM scheduled AS s;
    END IF;
    IF cardinality(p_lost) > 0 THEN
        SELECT array_agg(l.job ORDER BY l.job) INTO v_earlier
        FROM lease AS l
        WHERE l.worker = v_worker AND l.claim = ANY (p_lost);
    END IF;
    IF p_interactive > 0 THEN
        SELECT t.jobs, t.reached INTO v_interactive, v_reached
        FROM take_ready_jobs('interactive', p_interactive, p_from_interactive) AS t;
        IF v_reached > reached_interactive THEN
            reached_interactive := setval('queue_head_interactive', v_reached);
        END IF;
    END IF;
    IF p_background > 0 THEN
        SELECT t.jobs, t.reached INTO v_background, v_reached
        FROM take_ready_jobs('background', p_background, p_from_background) AS t;
        IF v_reached > reached_background THEN
            reached_background := setval('queue_head_background', v_reached);
        END IF;
    END IF;
    RETURN NEXT;
    IF v_earlier IS NOT NULL THEN
        RETURN QUERY SELECT NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, j.id, j.epoch,
            j.user_id, j.kind, j.input, j.bundle, j.queue::text, j.attempt, j.max_attempts, j.progress, j.created_at,
            j.deadline, j.request_id
        FROM unnest(v_earlier) AS a (number)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.number OFFSET 0) AS j
        WHERE j.status = 'processing' AND j.worker = v_worker;
    END IF;
    IF v_interactive IS NULL AND v_background IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH claimed AS (
        UPDATE job AS j
        SET status = 'processing',
            worker = v_worker,
            epoch = j.epoch + 1,
            attempt = CASE WHEN j.interrupted THEN j.attempt ELSE j.attempt + 1 END,
            progress = CASE WHEN j.interrupted THEN j.progress ELSE 0 END,
            current_step = CASE WHEN j.interrupted THEN j.current_step END,
            interrupted = false,
            error_code = NULL,
            error_message = NULL,
            error_user_message = NULL,
            started_at = coalesce(j.started_at, v_now),
            revision = j.revision + 1
        FROM unnest(v_interactive || v_background) WITH ORDINALITY AS a (number, place)
        WHERE j.number = a.number AND j.status = 'pending'
        RETURNING
            a.place, j.number, j.id, j.epoch, j.user_id, j.kind, j.input, j.bundle, j.queue::text AS queue, j.attempt,
            j.max_attempts, j.progress, j.created_at, j.deadline, j.request_id
    ), leased AS (
        INSERT INTO lease (worker, job, claim, deadline)
        SELECT v_worker, c.number, p_claim, c.deadline FROM claimed AS c
    )
    SELECT NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, c.id, c.epoch, c.user_id, c.kind,
        c.input, c.bundle, c.queue, c.attempt, c.max_attempts, c.progress, c.created_at, c.deadline, c.request_id
    FROM claimed AS c
    ORDER BY c.place;
END
$$;

-- Removes jobs from a queue, from a position on, and returns their numbers in the order of their positions.
--
-- It has no settings of its own: its only caller, `claim_jobs`, has set them.
CREATE OR REPLACE FUNCTION take_ready_jobs(
    p_queue queue, p_limit bigint, p_from bigint, OUT jobs bigint[], OUT reached bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
    v_users bigint[];
    v_positions bigint[];
    v_jobs bigint[];
BEGIN
    IF EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.unordered) THEN
        SELECT array_agg(s.user_id), array_agg(s.position), array_agg(s.job) INTO v_users, v_positions, v_jobs
        FROM (
            SELECT r.user_id, r.position, r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.position >= p_from
            ORDER BY r.queue, r.position, r.job
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ) AS s;
        IF v_jobs IS NULL THEN
            RETURN;
        END IF;
        v_jobs := order_ready_jobs(p_queue, v_users, v_positions, v_jobs);
        WITH taken AS (
            DELETE FROM ready AS r
            USING unnest(v_positions, v_jobs) WITH ORDINALITY AS a (position, job, place)
            WHERE r.queue = p_queue AND r.position = a.position AND r.job = a.job
            RETURNING a.place, r.position, r.job
        )
        SELECT array_agg(t.job ORDER BY t.place), max(t.position) INTO jobs, reached FROM taken AS t;
        RETURN;
    END IF;
    WITH taken AS (
        DELETE FROM ready
        WHERE ctid = ANY (ARRAY(
            SELECT r.ctid
            FROM ready AS r
            WHERE r.queue = p_queue AND r.position >= p_from
            ORDER BY r.queue, r.position, r.job
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING position, job
    )
    SELECT array_agg(t.job ORDER BY t.position, t.job), max(t.position) INTO jobs, reached FROM taken AS t;
END
$$;

-- Assigns locked positions to the best ready jobs of their users, by priority, then by age.
--
-- The jobs that had these positions get those of the better jobs. Takes the positions in ascending order and returns
-- the jobs that now have them, in the same order.
CREATE OR REPLACE FUNCTION order_ready_jobs(
    p_queue queue, p_users bigint[], p_positions bigint[], p_jobs bigint[]
) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_user record;
    v_best bigint[];
    v_all bigint[];
    v_positions bigint[];
    v_taken bigint[] := p_jobs;
    v_index integer;
BEGIN
    FOR v_user IN
        SELECT
            a.user_id, array_agg(a.job ORDER BY a.place) AS jobs, array_agg(a.position ORDER BY a.place) AS positions,
            array_agg(a.place ORDER BY a.place) AS places
        FROM unnest(p_users, p_positions, p_jobs) WITH ORDINALITY AS a (user_id, position, job, place)
        WHERE EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.user_id = a.user_id AND r.unordered)
        GROUP BY 1
    LOOP
        SELECT array_agg(b.job ORDER BY b.priority DESC, b.job) INTO v_best
        FROM (
            SELECT r.job, r.priority
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id
            ORDER BY r.priority DESC, r.job
            LIMIT cardinality(v_user.jobs)
            FOR UPDATE SKIP LOCKED
        ) AS b;
        v_positions := v_user.positions || ARRAY(
            SELECT r.position
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_best)
                AND NOT r.job = ANY (v_user.jobs)
            ORDER BY r.position
        );
        v_all := v_best || ARRAY(
            SELECT r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_user.jobs)
                AND NOT r.job = ANY (v_best)
            ORDER BY r.priority DESC, r.job
        );
        UPDATE ready AS r SET position = a.position, unordered = true
        FROM unnest(v_all, v_positions) AS a (job, position)
        WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = a.job
            AND (r.position <> a.position OR NOT r.job = ANY (v_best));
        FOR v_index IN 1 .. cardinality(v_best) LOOP
            v_taken[v_user.places[v_index]] := v_best[v_index];
        END LOOP;
    END LOOP;
    RETURN v_taken;
END
$$;

-- Moves scheduled jobs whose time has come to `ready` or `waiting`, in the order of their times.
CREATE OR REPLACE FUNCTION enqueue_due_jobs(p_now bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_job job;
    v_jobs bigint[];
BEGIN
    IF NOT EXISTS (SELECT FROM scheduled WHERE run_at <= p_now) THEN
        RETURN false;
    END IF;
    PERFORM lock_permits_of(ARRAY(SELECT job FROM scheduled WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000));
    WITH due AS (
        DELETE FROM scheduled
        WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM scheduled WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000 FOR UPDATE SKIP LOCKED
        ))
        RETURNING run_at, job
    )
    SELECT array_agg(due.job ORDER BY due.run_at, due.job) INTO v_jobs FROM due;
    -- In the order of users, in which all transactions lock positions; within a user by time.
    FOR v_job IN
        UPDATE job AS j SET run_at = NULL, revision = j.revision + 1
        FROM (
            SELECT k.number, a.place
            FROM unnest(v_jobs) WITH ORDINALITY AS a (job, place)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS k
            ORDER BY k.user_id, k.queue, a.place
        ) AS a
        WHERE j.number = a.number
        RETURNING j.*
    LOOP
        PERFORM enqueue_job(v_job, NULL, v_job.epoch > 0);
    END LOOP;
    RETURN v_jobs IS NOT NULL;
END
$$;
