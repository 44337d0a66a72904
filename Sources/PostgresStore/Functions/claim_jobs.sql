-- Claims ready jobs of each queue for a worker, up to a limit.
--
-- The first row says whether the claim was carried out, whether the worker is registered, when the next scheduled job
-- becomes due and how far each queue has come; each further row is a claimed job. No ready job has a position below
-- `p_from_…`, so the scan begins there. `p_lost` names earlier claims of this worker whose answer was lost; their jobs
-- are returned too. `was_ready` says that a job was ready from its submit on. The worker cannot run the kinds and bundles
-- in `p_unable_…`.
--
-- A worker's claims take place one after the other: a claim whose answer was lost may still be about to commit, and the
-- next one must see its leases. A claim that may not wait is not carried out while another one is in progress. A claim
-- that finds nothing writes nothing.
CREATE OR REPLACE FUNCTION claim_jobs(
    p_now bigint, p_worker text, p_claim bigint, p_lost bigint[], p_may_wait boolean, p_interactive bigint,
    p_background bigint, p_from_interactive bigint, p_from_background bigint, p_unable_kinds text[],
    p_unable_bundles text[]
) RETURNS TABLE (
    is_done boolean, is_known boolean, next_due bigint, reached_interactive bigint, reached_background bigint,
    made_ready boolean, id uuid, epoch bigint, user_id bigint, kind text, input text, bundle text, queue text,
    attempt bigint, max_attempts bigint, progress smallint, created_at bigint, deadline bigint, request_id text,
    within bigint, was_ready boolean
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
    v_scans_all boolean;
    v_unable_kinds text[] := p_unable_kinds;
BEGIN
    made_ready := false;
    is_known := false;
    reached_interactive := 0;
    reached_background := 0;
    IF p_may_wait THEN
        PERFORM lock_claims(p_worker);
        is_done := true;
    ELSE
        is_done := try_lock_claims(p_worker);
    END IF;
    IF NOT is_done THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT w.number INTO v_worker FROM worker AS w WHERE w.id = p_worker;
    is_known := FOUND;
    IF NOT FOUND THEN
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT i.last_value, b.last_value, (SELECT min(s.run_at) FROM scheduled AS s WHERE s.run_at < never())
    INTO reached_interactive, reached_background, next_due
    FROM queue_head_interactive AS i, queue_head_background AS b;
    IF next_due <= v_now THEN
        made_ready := enqueue_due_jobs(v_now);
        SELECT min(s.run_at) INTO next_due FROM scheduled AS s WHERE s.run_at < never();
    END IF;
    IF cardinality(p_lost) > 0 THEN
        SELECT array_agg(l.job ORDER BY l.job) INTO v_earlier
        FROM lease AS l
        WHERE l.worker = v_worker AND l.claim = ANY (p_lost);
    END IF;
    IF cardinality(p_unable_kinds) + cardinality(p_unable_bundles) > 0 THEN
        UPDATE worker AS w SET is_partial = true WHERE w.number = v_worker AND NOT w.is_partial;
    END IF;
    -- A worker that cannot run every kind leaves jobs behind the positions that the queue has reached.
    v_scans_all := EXISTS (SELECT FROM worker AS w WHERE w.is_partial);
    -- Jobs from before a pause are parked in the background.
    IF EXISTS (SELECT FROM pause AS p WHERE NOT p.is_ending) THEN
        v_unable_kinds := p_unable_kinds || ARRAY(
            SELECT p.kind::text FROM pause AS p WHERE NOT p.is_ending AND p.kind IS NOT NULL
        );
        p_interactive := CASE WHEN is_paused(NULL, 'interactive') THEN 0 ELSE p_interactive END;
        p_background := CASE WHEN is_paused(NULL, 'background') THEN 0 ELSE p_background END;
    END IF;
    IF p_interactive > 0 THEN
        SELECT t.jobs, t.reached INTO v_interactive, v_reached
        FROM take_ready_jobs(
            'interactive', p_interactive, CASE WHEN v_scans_all THEN 0 ELSE p_from_interactive END, v_unable_kinds,
            p_unable_bundles) AS t;
        IF v_reached > reached_interactive THEN
            reached_interactive := setval('queue_head_interactive', v_reached);
        END IF;
    END IF;
    IF p_background > 0 THEN
        SELECT t.jobs, t.reached INTO v_background, v_reached
        FROM take_ready_jobs(
            'background', p_background, CASE WHEN v_scans_all THEN 0 ELSE p_from_background END, v_unable_kinds,
            p_unable_bundles) AS t;
        IF v_reached > reached_background THEN
            reached_background := setval('queue_head_background', v_reached);
        END IF;
    END IF;
    RETURN NEXT;
    IF v_earlier IS NOT NULL THEN
        RETURN QUERY SELECT NULL::boolean, NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, j.id, j.epoch,
            j.user_id, j.kind, j.input, j.bundle, j.queue::text, j.attempt, j.max_attempts, j.progress, j.created_at,
            j.deadline, j.request_id, j.within, j.epoch = 1 AND j.history IS NULL
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
            waits_for = NULL,
            error_code = NULL,
            error_message = NULL,
            error_user_message = NULL,
            started_at = coalesce(j.started_at, v_now),
            revision = j.revision + 1,
            -- The row itself tells of a first claim of a job that was ready at once.
            history = CASE
                WHEN j.epoch > 0 OR j.history IS NOT NULL
                THEN add_event(
                    j.history,
                    jsonb_build_object(
                        'at', v_now, 'event', 'claimed', 'epoch', j.epoch + 1, 'attempt',
                        CASE WHEN j.interrupted THEN j.attempt ELSE j.attempt + 1 END, 'worker', p_worker, 'steps',
                        (SELECT count(*) FROM step AS s WHERE s.job = j.number)))
            END
        FROM unnest(v_interactive || v_background) WITH ORDINALITY AS a (number, place)
        WHERE j.number = a.number AND j.status = 'pending'
        RETURNING
            a.place, j.number, j.id, j.epoch, j.user_id, j.kind, j.input, j.bundle, j.queue::text AS queue, j.attempt,
            j.max_attempts, j.progress, j.created_at, j.deadline, j.request_id, j.within,
            j.epoch = 1 AND j.history IS NULL AS was_ready
    ), leased AS (
        INSERT INTO lease (worker, job, claim, deadline, claimed_at)
        SELECT v_worker, c.number, p_claim, c.deadline, v_now FROM claimed AS c
    )
    SELECT NULL::boolean, NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, c.id, c.epoch,
        c.user_id, c.kind, c.input, c.bundle, c.queue, c.attempt, c.max_attempts, c.progress, c.created_at, c.deadline, c.request_id,
        c.within, c.was_ready
    FROM claimed AS c
    ORDER BY c.place;
END
$$;

-- Lets a worker's claims, its deregistration and its rescue take place one after the other.
CREATE OR REPLACE FUNCTION lock_claims(p_worker text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('claims of ' || p_worker, 0));
END
$$;

-- Does as `lock_claims` without waiting, and returns whether the caller has the lock.
CREATE OR REPLACE FUNCTION try_lock_claims(p_worker text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    RETURN pg_try_advisory_xact_lock(hashtextextended('claims of ' || p_worker, 0));
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
        PERFORM enqueue_job(v_job, NULL, p_now);
    END LOOP;
    RETURN v_jobs IS NOT NULL;
END
$$;
