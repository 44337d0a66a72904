-- The hot functions with fewer statements: what a batch does not need is not asked for, since to start a statement
-- costs as much as to do it for a few jobs. What they do and answer is what it was.

-- A page has room for the next version of each of its rows, so that an update stays within it and touches no index: a
-- batch often updates all rows of a page at once.
ALTER TABLE job SET (fillfactor = 45);

-- Its caller has set what it needs.
ALTER FUNCTION take_ready(queue, bigint, bigint) RESET ALL;

-- Takes jobs in. No two of a batch have an id, an idempotency key, a join key or a serial key in common.
--
-- Outcomes: `accepted`; `existing` and `conflict`, with the earlier job; `short` of credits, with the balance; `again`,
-- when others of the same user in this batch have to be decided first. Two processes that submit the same at once meet
-- at a unique index: the second one's batch fails and, run again, finds what the first one stored.
CREATE OR REPLACE FUNCTION submit_jobs(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[],
    p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[],
    p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[],
    p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[]
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_outcomes text[];
    v_earlier uuid[];
    v_granted bigint[];
    v_held bigint[];
    v_used bigint[];
    v_new_users boolean[];
    v_blocked boolean[];
    v_numbers bigint[];
    v_holds bigint[];
    v_interactive bigint;
    v_background bigint;
    v_limited boolean[] := array_fill(false, ARRAY[cardinality(p_ids)]);
    v_has_limits boolean := cardinality(array_remove(p_fleet_limits || p_user_limits, NULL)) > 0;
    v_has_lines boolean := cardinality(array_remove(p_concurrency_keys, NULL)) > 0;
    v_job job;
    v_made_limits text[];
    v_account_owners bigint[];
    v_amounts bigint[];
    v_turn_users bigint[];
    v_turn_queues queue[];
BEGIN
    SELECT i.last_value, b.last_value INTO v_interactive, v_background
    FROM queue_time_interactive AS i, queue_time_background AS b;
    IF v_has_lines THEN
        PERFORM lock_lines(p_users, p_concurrency_keys);
    END IF;
    IF v_has_limits THEN
        v_limited := ARRAY(
            SELECT coalesce(a.fleet, a.per_user) IS NOT NULL
            FROM unnest(p_fleet_limits, p_user_limits) WITH ORDINALITY AS a (fleet, per_user, place)
            ORDER BY a.place
        );
        -- Limits stand by kind; a new job sets them where there are none yet.
        v_made_limits := make_first_limits(p_ids, p_kinds, p_fleet_limits, p_user_limits);
        PERFORM lock_slots(
            ARRAY(SELECT a.kind FROM unnest(p_kinds, v_limited) WITH ORDINALITY AS a (kind, is_limited, place)
                WHERE a.is_limited ORDER BY a.place),
            ARRAY(SELECT a.user_id FROM unnest(p_users, v_limited) WITH ORDINALITY AS a (user_id, is_limited, place)
                WHERE a.is_limited ORDER BY a.place));
    END IF;
    PERFORM lock_balances(p_users);

    -- What becomes of each: first by what was here before, then by the credits that are left when the earlier ones of
    -- the same user have theirs.
    SELECT
        array_agg(d.outcome ORDER BY d.place), array_agg(d.earlier ORDER BY d.place),
        array_agg(d.granted ORDER BY d.place), array_agg(d.held + d.taken ORDER BY d.place),
        array_agg(d.used ORDER BY d.place),
        array_agg(d.is_new AND d.outcome = 'accepted' AND d.turn = 1 ORDER BY d.place),
        array_agg(d.is_blocked ORDER BY d.place),
        array_agg(CASE WHEN d.outcome = 'accepted' THEN nextval('job_number_seq') END ORDER BY d.place),
        array_agg(CASE WHEN d.outcome = 'accepted' AND d.cost > 0 THEN nextval('ledger_entry_seq') END ORDER BY d.place)
    INTO v_outcomes, v_earlier, v_granted, v_held, v_used, v_new_users, v_blocked, v_numbers, v_holds
    FROM (
        SELECT
            c.*,
            CASE
                WHEN c.before IS NOT NULL THEN c.before
                WHEN c.needed <= c.remaining THEN 'accepted'
                WHEN c.cost > c.remaining - c.taken THEN 'short'
                ELSE 'again'
            END AS outcome
        FROM (
            SELECT
                n.*,
                coalesce(
                    max(n.needed) FILTER (WHERE n.before IS NULL AND n.needed <= n.remaining)
                        OVER (PARTITION BY n.user_id),
                    0) AS taken
            FROM (
                SELECT
                    e.*,
                    e.granted - e.held - e.used AS remaining,
                    sum(CASE WHEN e.before IS NULL THEN e.cost ELSE 0 END)
                        OVER (PARTITION BY e.user_id ORDER BY e.place)::bigint AS needed,
                    row_number() OVER (PARTITION BY e.user_id, e.before ORDER BY e.place) AS turn
                FROM (
                    SELECT
                        a.place, a.user_id, a.cost,
                        CASE
                            WHEN same.id IS NOT NULL THEN
                                CASE WHEN same.user_id = a.user_id THEN 'existing' ELSE 'conflict' END
                            WHEN promised.id IS NOT NULL THEN
                                CASE
                                    WHEN promised.idempotency_fingerprint = a.fingerprint THEN 'existing'
                                    ELSE 'conflict'
                                END
                            WHEN joined.id IS NOT NULL THEN 'existing'
                        END AS before,
                        coalesce(same.id, promised.id, joined.id) AS earlier,
                        b.user_id IS NULL AS is_new,
                        coalesce(b.granted, first_value(a.starting) OVER (PARTITION BY a.user_id ORDER BY a.place))
                            AS granted,
                        coalesce(b.held, 0) AS held,
                        coalesce(b.used, 0) AS used,
                        a.concurrency_key IS NOT NULL AND EXISTS (
                            SELECT
                            FROM serial_line AS l
                            WHERE l.user_id = a.user_id AND l.concurrency_key = a.concurrency_key
                        ) AS is_blocked
                    FROM unnest(
                        p_ids, p_users, p_costs, p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints,
                        p_starting
                    ) WITH ORDINALITY AS a (
                        id, user_id, cost, concurrency_key, unique_key, idempotency_key, fingerprint, starting, place)
                    LEFT JOIN LATERAL (
                        SELECT * FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.era DESC LIMIT 1
                    ) AS b ON true
                    LEFT JOIN job AS same ON same.id = a.id
                    LEFT JOIN job AS promised
                        ON promised.idempotency_key = a.idempotency_key AND promised.user_id + 0 = a.user_id
                    LEFT JOIN joinable AS j ON j.user_id = a.user_id AND j.unique_key = a.unique_key
                    LEFT JOIN job AS joined ON joined.number = j.job
                ) AS e
            ) AS n
        ) AS c
    ) AS d;

    IF v_made_limits IS NOT NULL THEN
        PERFORM keep_first_limits(v_made_limits, p_kinds, p_fleet_limits, p_user_limits, v_outcomes);
    END IF;
    IF true = ANY (v_new_users) THEN
        PERFORM begin_balances(
            ARRAY(SELECT a.user_id FROM unnest(p_users, v_new_users) WITH ORDINALITY AS a (user_id, is_new, place)
                WHERE a.is_new ORDER BY a.place),
            ARRAY(SELECT a.granted FROM unnest(v_granted, v_new_users) WITH ORDINALITY AS a (granted, is_new, place)
                WHERE a.is_new ORDER BY a.place),
            v_now);
    END IF;

    INSERT INTO job (
        number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, run_at, hold, queue,
        blocked, limited, kind, bundle, input, concurrency_key, unique_key, idempotency_key, idempotency_fingerprint, request_id
    )
    SELECT
        a.number, a.id, a.user_id, a.priority, a.cost, a.max_attempts, v_now, a.deadline - v_now, a.deadline,
        CASE WHEN a.run_at > v_now THEN a.run_at END, a.hold, a.queue::queue, a.is_blocked, a.is_limited, a.kind, a.bundle,
        a.input, a.concurrency_key, a.unique_key, a.idempotency_key, a.fingerprint, a.request_id
    FROM unnest(
        v_numbers, p_ids, p_users, p_priorities, p_costs, p_max_attempts, p_deadlines, p_run_ats, v_holds, p_queues,
        v_blocked, v_limited, p_kinds, p_bundles, p_inputs, p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints,
        p_request_ids
    ) AS a (
        number, id, user_id, priority, cost, max_attempts, deadline, run_at, hold, queue, is_blocked, is_limited, kind,
        bundle, input, concurrency_key, unique_key, idempotency_key, fingerprint, request_id)
    WHERE a.number IS NOT NULL;

    IF cardinality(array_remove(p_unique_keys, NULL)) > 0 THEN
        INSERT INTO joinable (user_id, unique_key, job)
        SELECT a.user_id, a.unique_key, a.number
        FROM unnest(p_users, p_unique_keys, v_numbers) AS a (user_id, unique_key, number)
        WHERE a.unique_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF v_has_lines THEN
        INSERT INTO serial_line (user_id, concurrency_key, job, deadline, holds)
        SELECT a.user_id, a.concurrency_key, a.number, a.deadline, NOT a.is_blocked
        FROM unnest(p_users, p_concurrency_keys, v_numbers, p_deadlines, v_blocked)
            AS a (user_id, concurrency_key, number, deadline, is_blocked)
        WHERE a.concurrency_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF cardinality(array_remove(v_holds, NULL)) > 0 THEN
        WITH held AS (
            INSERT INTO ledger (entry, user_id, kind, amount, job, created_at)
            SELECT a.hold, a.user_id, 'hold', a.cost, a.id, v_now
            FROM unnest(v_holds, p_users, p_costs, p_ids) AS a (hold, user_id, cost, id)
            WHERE a.hold IS NOT NULL
            RETURNING ledger.user_id, ledger.amount
        )
        SELECT array_agg(h.user_id), array_agg(h.amount) INTO v_account_owners, v_amounts FROM held AS h;
        PERFORM change_balances(v_account_owners, v_amounts, NULL);
    END IF;

    IF cardinality(array_remove(p_run_ats, NULL)) > 0 THEN
        INSERT INTO schedule (run_at, job, deadline)
        SELECT a.run_at, a.number, a.deadline
        FROM unnest(p_run_ats, v_numbers, p_deadlines, v_blocked) AS a (run_at, number, deadline, is_blocked)
        WHERE a.run_at > v_now AND a.number IS NOT NULL AND NOT a.is_blocked;
    END IF;

    -- As many slots for each user as they have jobs here, after their last one and not before where the lane is.
    SELECT array_agg(a.user_id), array_agg(a.queue::queue)
    INTO v_turn_users, v_turn_queues
    FROM unnest(p_users, p_queues, p_run_ats, v_numbers, v_blocked, v_limited)
        AS a (user_id, queue, run_at, number, is_blocked, is_limited)
    WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now);
    IF v_turn_users IS NOT NULL THEN
        PERFORM take_turns(v_turn_users, v_turn_queues, v_interactive, v_background);
    END IF;

    INSERT INTO ready (queue, rank, job, user_id, priority, deadline, unordered)
    SELECT r.queue, t.rank - r.after, r.number, r.user_id, r.priority, r.deadline, r.priority <> 0
    FROM (
        SELECT
            a.queue::queue, a.number, a.user_id, a.priority, a.deadline,
            row_number() OVER (PARTITION BY a.user_id, a.queue ORDER BY a.number DESC) - 1 AS after
        FROM unnest(p_queues, v_numbers, p_users, p_priorities, p_deadlines, p_run_ats, v_blocked, v_limited)
            AS a (queue, number, user_id, priority, deadline, run_at, is_blocked, is_limited)
        WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now)
    ) AS r
    CROSS JOIN LATERAL (
        SELECT n.rank FROM turn AS n WHERE n.user_id = r.user_id AND n.queue = r.queue ORDER BY n.era DESC LIMIT 1
    ) AS t;

    -- Those that need a slot, one after the other.
    IF v_has_limits THEN
        FOR v_job IN
            SELECT j.*
            FROM unnest(v_numbers, v_limited) AS a (number, is_limited)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE job.number = a.number OFFSET 0) AS j
            WHERE a.is_limited AND NOT j.blocked AND j.run_at IS NULL
            ORDER BY j.user_id, j.number
        LOOP
            PERFORM place_job(v_job, NULL, false);
        END LOOP;
    END IF;

    RETURN QUERY
    SELECT a.place, a.outcome, a.earlier, a.granted, a.held, a.used, v_now, a.is_blocked OR v_limited[a.place]
    FROM unnest(v_outcomes, v_earlier, v_granted, v_held, v_used, v_blocked) WITH ORDINALITY
        AS a (outcome, earlier, granted, held, used, is_blocked, place);
END
$$;

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
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
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
    v_joiners bigint[];
    v_unique_keys text[];
    v_account_owners bigint[];
    v_costs bigint[];
    v_paid uuid[];
    v_holds bigint[];
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
    )
    SELECT
        array_agg(d.place), array_agg(d.number) FILTER (WHERE d.concurrency_key IS NOT NULL),
        array_agg(d.number) FILTER (WHERE d.limited), array_agg(d.number) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.unique_key) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.cost > 0), array_agg(d.cost) FILTER (WHERE d.cost > 0),
        array_agg(d.id) FILTER (WHERE d.cost > 0), array_agg(d.hold) FILTER (WHERE d.cost > 0)
    INTO v_places, v_in_line, v_limited, v_shared_jobs, v_joiners, v_unique_keys, v_account_owners, v_costs, v_paid, v_holds
    FROM done AS d;
    IF v_shared_jobs IS NOT NULL THEN
        DELETE FROM joinable AS k
        USING unnest(v_joiners, v_unique_keys, v_shared_jobs) AS d (user_id, unique_key, job)
        WHERE k.user_id = d.user_id AND k.unique_key = d.unique_key AND k.job = d.job;
    END IF;
    IF v_account_owners IS NOT NULL THEN
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        SELECT d.user_id, 'settle', d.cost, d.id, d.hold, v_now
        FROM unnest(v_account_owners, v_costs, v_paid, v_holds) AS d (user_id, cost, id, hold);
        PERFORM change_balances(
            v_account_owners,
            ARRAY(SELECT -c.cost FROM unnest(v_costs) WITH ORDINALITY AS c (cost, place) ORDER BY c.place), v_costs);
    END IF;
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
