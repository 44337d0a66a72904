-- Lets jobs whose time has come wait for a worker, in the order of their time.
CREATE FUNCTION make_due(p_now bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_job job;
    v_jobs bigint[];
BEGIN
    IF NOT EXISTS (SELECT FROM schedule WHERE run_at <= p_now) THEN
        RETURN false;
    END IF;
    PERFORM lock_slots_of(ARRAY(SELECT job FROM schedule WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000));
    WITH due AS (
        DELETE FROM schedule
        WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM schedule WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000 FOR UPDATE SKIP LOCKED
        ))
        RETURNING run_at, job
    )
    SELECT array_agg(due.job ORDER BY due.run_at, due.job) INTO v_jobs FROM due;
    -- Users one after the other, as everybody takes turns; within one by time.
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
        PERFORM place_job(v_job, NULL, v_job.epoch > 0);
    END LOOP;
    RETURN v_jobs IS NOT NULL;
END
$$;

-- Where a user has jobs out of order, the slots that they get here go to the best of their ready jobs, by priority,
-- then by age; the jobs that stood in these slots get the others'. The slots are locked.
CREATE FUNCTION put_best_first(p_queue queue, p_users bigint[], p_ranks bigint[], p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_user record;
    v_best bigint[];
    v_all bigint[];
    v_ranks bigint[];
BEGIN
    FOR v_user IN
        SELECT a.user_id, array_agg(a.job) AS jobs, array_agg(a.rank) AS ranks
        FROM unnest(p_users, p_ranks, p_jobs) AS a (user_id, rank, job)
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
        SELECT array_agg(r.rank ORDER BY r.rank) INTO v_ranks
        FROM ready AS r
        WHERE r.queue = p_queue AND r.user_id = v_user.user_id
            AND (r.job = ANY (v_best) OR r.job = ANY (v_user.jobs));
        v_all := v_best || ARRAY(
            SELECT r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_user.jobs)
                AND NOT r.job = ANY (v_best)
            ORDER BY r.priority DESC, r.job
        );
        UPDATE ready AS r SET rank = a.rank
        FROM unnest(v_all, v_ranks) AS a (job, rank)
        WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = a.job AND r.rank <> a.rank;
    END LOOP;
END
$$;

-- Takes up to so many ready jobs of a lane out of it, from a rank on: their numbers, in the order of their slots.
CREATE FUNCTION take_ready(p_queue queue, p_slots bigint, p_from bigint, OUT jobs bigint[], OUT reached bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_users bigint[];
    v_ranks bigint[];
    v_jobs bigint[];
BEGIN
    IF EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.unordered) THEN
        SELECT array_agg(s.user_id), array_agg(s.rank), array_agg(s.job) INTO v_users, v_ranks, v_jobs
        FROM (
            SELECT r.user_id, r.rank, r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.rank >= p_from
            ORDER BY r.queue, r.rank, r.job
            LIMIT p_slots
            FOR UPDATE SKIP LOCKED
        ) AS s;
        PERFORM put_best_first(p_queue, v_users, v_ranks, v_jobs);
    END IF;
    WITH taken AS (
        DELETE FROM ready
        WHERE ctid = ANY (ARRAY(
            SELECT r.ctid
            FROM ready AS r
            WHERE r.queue = p_queue AND r.rank >= p_from
            ORDER BY r.queue, r.rank, r.job
            LIMIT p_slots
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING rank, job
    )
    SELECT array_agg(t.job ORDER BY t.rank, t.job), max(t.rank) INTO jobs, reached FROM taken AS t;
END
$$;

-- Takes up to so many ready jobs of each lane for a worker. The first row says whether the worker is known, when the
-- next job becomes due and where the lanes have come to; each further one is a job. `p_from` is a rank before which
-- nothing is left to be found; `p_lost` are earlier claims of this worker whose answer never arrived.
CREATE FUNCTION claim_jobs(
    p_now bigint, p_worker text, p_claim bigint, p_lost bigint[], p_interactive bigint, p_background bigint,
    p_from_interactive bigint, p_from_background bigint
) RETURNS TABLE (
    is_known boolean, next_due bigint, reached_interactive bigint, reached_background bigint, made_ready boolean,
    id uuid, epoch bigint, user_id bigint, kind text, input text, bundle text, queue text, attempt bigint,
    max_attempts bigint, progress smallint, created_at bigint, deadline bigint, request_id text
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_worker bigint;
    v_made_ready boolean;
    v_earlier bigint[];
    v_interactive bigint[];
    v_background bigint[];
    v_reached bigint;
BEGIN
    -- Whoever declares the worker dead waits for this claim, and then finds what it took.
    SELECT w.number INTO v_worker FROM worker AS w WHERE w.id = p_worker FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT false, NULL::bigint, 0::bigint, 0::bigint, false, NULL::uuid, NULL::bigint, NULL::bigint,
            NULL::text, NULL::text, NULL::text, NULL::text, NULL::bigint, NULL::bigint, NULL::smallint, NULL::bigint,
            NULL::bigint, NULL::text;
        RETURN;
    END IF;
    v_made_ready := make_due(v_now);
    IF cardinality(p_lost) > 0 THEN
        SELECT array_agg(l.job ORDER BY l.job) INTO v_earlier
        FROM lease AS l
        WHERE l.worker = v_worker AND l.claim = ANY (p_lost);
    END IF;
    IF p_interactive > 0 THEN
        SELECT t.jobs, t.reached INTO v_interactive, v_reached
        FROM take_ready('interactive', p_interactive, p_from_interactive) AS t;
        IF v_reached > queue_time('interactive') THEN
            PERFORM setval('queue_time_interactive', v_reached);
        END IF;
    END IF;
    IF p_background > 0 THEN
        SELECT t.jobs, t.reached INTO v_background, v_reached
        FROM take_ready('background', p_background, p_from_background) AS t;
        IF v_reached > queue_time('background') THEN
            PERFORM setval('queue_time_background', v_reached);
        END IF;
    END IF;
    RETURN QUERY SELECT true, (SELECT min(s.run_at) FROM schedule AS s), queue_time('interactive'),
        queue_time('background'), v_made_ready, NULL::uuid, NULL::bigint, NULL::bigint, NULL::text, NULL::text,
        NULL::text, NULL::text, NULL::bigint, NULL::bigint, NULL::smallint, NULL::bigint, NULL::bigint, NULL::text;
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
            attempt = j.attempt + 1,
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
