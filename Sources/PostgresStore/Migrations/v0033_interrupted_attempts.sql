-- An attempt that was interrupted goes on as what it was. It used to lose its number until the next claim, so that for a
-- while a job showed the number of the attempt before, with a progress that was lower than that one had reached.

UPDATE job SET attempt = attempt + 1 WHERE status = 'pending' AND interrupted;

-- Takes up to so many ready jobs of each lane for a worker. The first row says whether the worker is known, when the
-- next job becomes due and where the lanes have come to; each further one is a job. `p_from` is a rank before which
-- nothing is left to be found; `p_lost` are earlier claims of this worker whose answer never arrived.
CREATE OR REPLACE FUNCTION claim_jobs(
    p_now bigint, p_worker text, p_claim bigint, p_lost bigint[], p_interactive bigint, p_background bigint,
    p_from_interactive bigint, p_from_background bigint
) RETURNS TABLE (
    is_known boolean, next_due bigint, reached_interactive bigint, reached_background bigint, made_ready boolean,
    id uuid, epoch bigint, user_id bigint, kind text, input text, bundle text, queue text, attempt bigint,
    max_attempts bigint, progress smallint, created_at bigint, deadline bigint, request_id text
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
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
    -- Whoever declares the worker dead waits for this claim, and then finds what it took.
    SELECT w.number INTO v_worker FROM worker AS w WHERE w.id = p_worker FOR KEY SHARE;
    is_known := FOUND;
    made_ready := false;
    IF NOT FOUND THEN
        reached_interactive := 0;
        reached_background := 0;
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT i.last_value, b.last_value, (SELECT min(s.run_at) FROM schedule AS s)
    INTO reached_interactive, reached_background, next_due
    FROM queue_time_interactive AS i, queue_time_background AS b;
    IF next_due <= v_now THEN
        made_ready := make_due(v_now);
        SELECT min(s.run_at) INTO next_due FROM schedule AS s;
    END IF;
    IF cardinality(p_lost) > 0 THEN
        SELECT array_agg(l.job ORDER BY l.job) INTO v_earlier
        FROM lease AS l
        WHERE l.worker = v_worker AND l.claim = ANY (p_lost);
    END IF;
    IF p_interactive > 0 THEN
        SELECT t.jobs, t.reached INTO v_interactive, v_reached
        FROM take_ready('interactive', p_interactive, p_from_interactive) AS t;
        IF v_reached > reached_interactive THEN
            reached_interactive := setval('queue_time_interactive', v_reached);
        END IF;
    END IF;
    IF p_background > 0 THEN
        SELECT t.jobs, t.reached INTO v_background, v_reached
        FROM take_ready('background', p_background, p_from_background) AS t;
        IF v_reached > reached_background THEN
            reached_background := setval('queue_time_background', v_reached);
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

-- Back to pending without the cost of an attempt: the next run continues this one.
CREATE OR REPLACE FUNCTION give_back(p_job job, p_pause bigint, p_deaths integer, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_run_at bigint := CASE WHEN p_pause > 0 THEN p_now + p_pause END;
BEGIN
    PERFORM withdraw_job(p_job);
    UPDATE job
    SET status = 'pending', run_at = v_run_at, interrupted = true, deaths = p_deaths, revision = revision + 1
    WHERE number = p_job.number;
    PERFORM place_job(p_job, v_run_at, true);
    PERFORM pass_on_slot(p_job);
END
$$;
