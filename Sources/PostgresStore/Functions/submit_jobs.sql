-- Stores new jobs, holds their credits and enqueues them. No two jobs of a batch share an id, an idempotency key, a
-- unique key or a concurrency key.
--
-- Outcomes: `accepted`; `existing` and `conflict`, with the earlier job; `short` of credits, with the balance; `again`,
-- when the outcome depends on other jobs of the same user in this batch. When two processes submit the same job at
-- once, a unique index fails the second batch; run again, it finds the job that the first one stored.
CREATE OR REPLACE FUNCTION submit_jobs(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[],
    p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[],
    p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[],
    p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[], p_subjects text[]
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, stored_at bigint,
    is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
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
    v_has_serialized boolean := cardinality(array_remove(p_concurrency_keys, NULL)) > 0;
    v_job job;
    v_made_limits text[];
    v_account_owners bigint[];
    v_amounts bigint[];
    v_position_users bigint[];
    v_position_queues queue[];
BEGIN
    SELECT i.last_value, b.last_value INTO v_interactive, v_background
    FROM queue_head_interactive AS i, queue_head_background AS b;
    IF v_has_serialized THEN
        PERFORM lock_concurrency_keys(p_users, p_concurrency_keys);
    END IF;
    IF v_has_limits THEN
        v_limited := ARRAY(
            SELECT coalesce(a.fleet, a.per_user) IS NOT NULL
            FROM unnest(p_fleet_limits, p_user_limits) WITH ORDINALITY AS a (fleet, per_user, place)
            ORDER BY a.place
        );
        -- A kind has one row of limits; its first job inserts it.
        v_made_limits := make_first_limits(p_ids, p_kinds, p_fleet_limits, p_user_limits);
        PERFORM lock_permits(
            ARRAY(SELECT a.kind FROM unnest(p_kinds, v_limited) WITH ORDINALITY AS a (kind, is_limited, place)
                WHERE a.is_limited ORDER BY a.place),
            ARRAY(SELECT a.user_id FROM unnest(p_users, v_limited) WITH ORDINALITY AS a (user_id, is_limited, place)
                WHERE a.is_limited ORDER BY a.place));
    END IF;
    PERFORM lock_balances(p_users);

    -- The outcome of each job: first by earlier jobs with its id or keys, then by the credits that remain after the
    -- earlier jobs of the same user in this batch.
    SELECT
        array_agg(d.outcome ORDER BY d.place), array_agg(d.earlier ORDER BY d.place),
        array_agg(d.granted ORDER BY d.place), array_agg(d.held + d.taken ORDER BY d.place),
        array_agg(d.used ORDER BY d.place),
        array_agg(d.is_new AND d.outcome = 'accepted' AND d.ordinal = 1 ORDER BY d.place),
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
                    row_number() OVER (PARTITION BY e.user_id, e.before ORDER BY e.place) AS ordinal
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
                            FROM serialized_job AS l
                            WHERE l.user_id = a.user_id AND l.concurrency_key = a.concurrency_key
                        ) AS is_blocked
                    FROM unnest(
                        p_ids, p_users, p_costs, p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints,
                        p_starting
                    ) WITH ORDINALITY AS a (
                        id, user_id, cost, concurrency_key, unique_key, idempotency_key, fingerprint, starting, place)
                    LEFT JOIN LATERAL (
                        SELECT * FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.bucket DESC LIMIT 1
                    ) AS b ON true
                    LEFT JOIN job AS same ON same.id = a.id
                    LEFT JOIN job AS promised
                        ON promised.idempotency_key = a.idempotency_key AND promised.user_id + 0 = a.user_id
                    LEFT JOIN unique_job AS j ON j.user_id = a.user_id AND j.unique_key = a.unique_key
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
        v_holds := holds_after_starting_credits(v_holds);
    END IF;

    INSERT INTO job (
        number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, run_at, hold, queue,
        blocked, limited, kind, bundle, input, concurrency_key, unique_key, idempotency_key,
        idempotency_fingerprint, request_id, subject, history
    )
    SELECT
        a.number, a.id, a.user_id, a.priority, a.cost, a.max_attempts, v_now, a.deadline - v_now, a.deadline,
        CASE WHEN a.run_at > v_now THEN a.run_at END, a.hold, a.queue::queue, a.is_blocked, a.is_limited, a.kind,
        a.bundle, a.input, a.concurrency_key, a.unique_key, a.idempotency_key, a.fingerprint, a.request_id,
        a.subject,
        CASE
            WHEN a.is_blocked THEN add_place(NULL, v_now, 'blocked')
            WHEN a.run_at > v_now THEN add_place(NULL, v_now, 'scheduled', a.run_at, 'scheduled')
        END
    FROM unnest(
        v_numbers, p_ids, p_users, p_priorities, p_costs, p_max_attempts, p_deadlines, p_run_ats, v_holds, p_queues,
        v_blocked, v_limited, p_kinds, p_bundles, p_inputs, p_concurrency_keys, p_unique_keys, p_idempotency_keys,
        p_fingerprints, p_request_ids, p_subjects
    ) AS a (
        number, id, user_id, priority, cost, max_attempts, deadline, run_at, hold, queue, is_blocked, is_limited, kind,
        bundle, input, concurrency_key, unique_key, idempotency_key, fingerprint, request_id, subject)
    WHERE a.number IS NOT NULL;

    IF cardinality(array_remove(p_unique_keys, NULL)) > 0 THEN
        INSERT INTO unique_job (user_id, unique_key, job)
        SELECT a.user_id, a.unique_key, a.number
        FROM unnest(p_users, p_unique_keys, v_numbers) AS a (user_id, unique_key, number)
        WHERE a.unique_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF v_has_serialized THEN
        INSERT INTO serialized_job (user_id, concurrency_key, job, deadline, holds)
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
        INSERT INTO scheduled (run_at, job, deadline)
        SELECT a.run_at, a.number, a.deadline
        FROM unnest(p_run_ats, v_numbers, p_deadlines, v_blocked) AS a (run_at, number, deadline, is_blocked)
        WHERE a.run_at > v_now AND a.number IS NOT NULL AND NOT a.is_blocked;
    END IF;

    -- One position for each ready job, after the last one of its user and not before the head of the queue.
    SELECT array_agg(a.user_id), array_agg(a.queue::queue)
    INTO v_position_users, v_position_queues
    FROM unnest(p_users, p_queues, p_run_ats, v_numbers, v_blocked, v_limited)
        AS a (user_id, queue, run_at, number, is_blocked, is_limited)
    WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now);
    IF v_position_users IS NOT NULL THEN
        PERFORM advance_positions(v_position_users, v_position_queues, v_interactive, v_background);
    END IF;

    INSERT INTO ready (queue, position, job, user_id, priority, deadline, unordered)
    SELECT r.queue, t.position - r.after, r.number, r.user_id, r.priority, r.deadline, r.priority <> 0
    FROM (
        SELECT
            a.queue::queue, a.number, a.user_id, a.priority, a.deadline,
            row_number() OVER (PARTITION BY a.user_id, a.queue ORDER BY a.number DESC) - 1 AS after
        FROM unnest(p_queues, v_numbers, p_users, p_priorities, p_deadlines, p_run_ats, v_blocked, v_limited)
            AS a (queue, number, user_id, priority, deadline, run_at, is_blocked, is_limited)
        WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now)
    ) AS r
    CROSS JOIN LATERAL (
        SELECT n.position FROM user_position AS n WHERE n.user_id = r.user_id AND n.queue = r.queue
        ORDER BY n.bucket DESC LIMIT 1
    ) AS t;

    -- Jobs that need a permit, one after the other.
    IF v_has_limits THEN
        FOR v_job IN
            SELECT j.*
            FROM unnest(v_numbers, v_limited) AS a (number, is_limited)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE job.number = a.number OFFSET 0) AS j
            WHERE a.is_limited AND NOT j.blocked AND j.run_at IS NULL
            ORDER BY j.user_id, j.number
        LOOP
            PERFORM enqueue_job(v_job, NULL, v_now);
        END LOOP;
    END IF;
    PERFORM park_jobs(v_numbers, v_now);

    RETURN QUERY
    SELECT a.place, a.outcome, a.earlier, a.granted, a.held, a.used, v_now, a.is_blocked OR v_limited[a.place]
    FROM unnest(v_outcomes, v_earlier, v_granted, v_held, v_used, v_blocked) WITH ORDINALITY
        AS a (outcome, earlier, granted, held, used, is_blocked, place);
END
$$;

-- Inserts limits for kinds that have none yet, and returns these kinds.
CREATE OR REPLACE FUNCTION make_first_limits(
    p_ids uuid[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[]
) RETURNS text[]
LANGUAGE sql
AS $$
    WITH made AS (
        INSERT INTO kind_limit (kind, fleet, per_user)
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_ids, p_kinds, p_fleet_limits, p_user_limits) AS a (id, kind, fleet, per_user)
        WHERE coalesce(a.fleet, a.per_user) IS NOT NULL AND NOT EXISTS (SELECT FROM job AS j WHERE j.id = a.id)
        ORDER BY a.kind
        ON CONFLICT (kind) DO NOTHING
        RETURNING kind
    )
    SELECT array_agg(made.kind) FROM made
$$;

-- Sets the inserted limits to those of the first accepted job of each kind, or removes them when no job was accepted.
CREATE OR REPLACE FUNCTION keep_first_limits(
    p_made text[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[], p_outcomes text[]
) RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM kind_limit AS k
    WHERE k.kind = ANY (p_made) AND NOT EXISTS (
        SELECT
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) AS a (kind, fleet, per_user, outcome)
        WHERE a.kind = k.kind AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
    );
    UPDATE kind_limit AS k SET fleet = f.fleet, per_user = f.per_user
    FROM (
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) WITH ORDINALITY
            AS a (kind, fleet, per_user, outcome, place)
        WHERE a.kind = ANY (p_made) AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
        ORDER BY a.kind, a.place
    ) AS f
    WHERE k.kind = f.kind;
$$;
