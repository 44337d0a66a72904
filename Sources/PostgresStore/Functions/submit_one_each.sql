-- Stores new jobs of which no two belong to one user and none has a concurrency key, a later run time or a limited
-- kind.
--
-- Most batches are like this. Each job is decided independently, which takes half as many statements as `submit_jobs`
-- and no sorting. Outcomes and the order of locks are those of `submit_jobs`.
CREATE OR REPLACE FUNCTION submit_one_each(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[],
    p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_unique_keys text[], p_idempotency_keys text[],
    p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_starting bigint[],
    p_subjects text[]
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
    v_has_keys boolean := cardinality(array_remove(p_unique_keys || p_idempotency_keys, NULL)) > 0;
    v_is_promised boolean[];
    v_earlier uuid[];
    v_outcomes text[];
    v_granted bigint[];
    v_held bigint[];
    v_used bigint[];
    v_are_new boolean[];
    v_numbers bigint[];
    v_holds bigint[];
    v_asked bigint;
    v_done bigint;
BEGIN
    -- First, so that the statements below see jobs that other transactions committed in the meantime.
    PERFORM lock_balances(p_users);

    -- Earlier jobs by idempotency key, with whether the request was the same, or by unique key.
    IF v_has_keys THEN
        SELECT array_agg(d.is_promised), array_agg(d.earlier) INTO v_is_promised, v_earlier
        FROM (
            SELECT
                promised.id IS NULL OR promised.idempotency_fingerprint = a.fingerprint AS is_promised,
                coalesce(promised.id, joined.id) AS earlier
            FROM unnest(p_users, p_unique_keys, p_idempotency_keys, p_fingerprints) WITH ORDINALITY
                AS a (user_id, unique_key, idempotency_key, fingerprint, place)
            LEFT JOIN job AS promised
                ON promised.idempotency_key = a.idempotency_key AND promised.user_id + 0 = a.user_id
            LEFT JOIN unique_job AS j ON j.user_id = a.user_id AND j.unique_key = a.unique_key
            LEFT JOIN job AS joined ON joined.number = j.job
            ORDER BY a.place
        ) AS d;
    END IF;

    SELECT
        array_agg(d.outcome), array_agg(d.earlier), array_agg(d.granted),
        array_agg(CASE WHEN d.outcome = 'accepted' THEN d.held + d.cost ELSE d.held END), array_agg(d.used),
        array_agg(d.is_new),
        array_agg(CASE WHEN d.outcome = 'accepted' THEN nextval('job_number_seq') END),
        array_agg(CASE WHEN d.outcome = 'accepted' AND d.cost > 0 THEN nextval('ledger_entry_seq') END)
    INTO v_outcomes, v_earlier, v_granted, v_held, v_used, v_are_new, v_numbers, v_holds
    FROM (
        SELECT
            a.cost, b.user_id IS NULL AS is_new, coalesce(same.id, a.earlier) AS earlier,
            coalesce(b.granted, a.starting) AS granted, coalesce(b.held, 0) AS held, coalesce(b.used, 0) AS used,
            CASE
                WHEN same.id IS NOT NULL THEN CASE WHEN same.user_id = a.user_id THEN 'existing' ELSE 'conflict' END
                WHEN a.earlier IS NOT NULL THEN CASE WHEN a.is_promised THEN 'existing' ELSE 'conflict' END
                WHEN a.cost <= coalesce(b.granted - b.held - b.used, a.starting) THEN 'accepted'
                ELSE 'short'
            END AS outcome
        FROM unnest(p_ids, p_users, p_costs, p_starting, v_is_promised, v_earlier) WITH ORDINALITY
            AS a (id, user_id, cost, starting, is_promised, earlier, place)
        LEFT JOIN LATERAL (
            SELECT * FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.bucket DESC LIMIT 1
        ) AS b ON true
        LEFT JOIN job AS same ON same.id = a.id
        ORDER BY a.place
    ) AS d;

    IF true = ANY (v_are_new) THEN
        PERFORM begin_balances(array_agg(a.user_id), array_agg(a.starting), v_now)
        FROM unnest(p_users, p_starting, v_are_new, v_numbers) AS a (user_id, starting, is_new, number)
        WHERE a.is_new AND a.number IS NOT NULL
        HAVING count(*) > 0;
        v_holds := holds_after_starting_credits(v_holds);
    END IF;

    INSERT INTO job (
        number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, hold, queue, limited, kind,
        bundle, input, unique_key, idempotency_key, idempotency_fingerprint, request_id, subject
    )
    SELECT
        a.number, a.id, a.user_id, a.priority, a.cost, a.max_attempts, v_now, a.deadline - v_now, a.deadline, a.hold,
        a.queue::queue, false, a.kind, a.bundle, a.input, a.unique_key, a.idempotency_key, a.fingerprint, a.request_id,
        a.subject
    FROM unnest(
        v_numbers, p_ids, p_users, p_priorities, p_costs, p_max_attempts, p_deadlines, v_holds, p_queues, p_kinds,
        p_bundles, p_inputs, p_unique_keys, p_idempotency_keys, p_fingerprints, p_request_ids, p_subjects
    ) AS a (
        number, id, user_id, priority, cost, max_attempts, deadline, hold, queue, kind, bundle, input, unique_key,
        idempotency_key, fingerprint, request_id, subject)
    WHERE a.number IS NOT NULL;

    IF v_has_keys THEN
        INSERT INTO unique_job (user_id, unique_key, job)
        SELECT a.user_id, a.unique_key, a.number
        FROM unnest(p_users, p_unique_keys, v_numbers) AS a (user_id, unique_key, number)
        WHERE a.unique_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF cardinality(array_remove(v_holds, NULL)) > 0 THEN
        INSERT INTO ledger (entry, user_id, kind, amount, job, created_at)
        SELECT a.hold, a.user_id, 'hold', a.cost, a.id, v_now
        FROM unnest(v_holds, p_users, p_costs, p_ids) AS a (hold, user_id, cost, id)
        WHERE a.hold IS NOT NULL;
        PERFORM change_balances(array_agg(a.user_id), array_agg(a.cost), NULL)
        FROM unnest(v_holds, p_users, p_costs) AS a (hold, user_id, cost)
        WHERE a.hold IS NOT NULL;
    END IF;

    -- A position for each job, after the last one of its user and not before the head of the queue.
    WITH asked AS MATERIALIZED (
        SELECT a.*, n.bucket, CASE a.queue WHEN 'interactive' THEN i.last_value ELSE b.last_value END AS first_position
        FROM (
            SELECT a.user_id, a.queue::queue, a.number, a.priority, a.deadline
            FROM unnest(p_users, p_queues, v_numbers, p_priorities, p_deadlines)
                AS a (user_id, queue, number, priority, deadline)
            WHERE a.number IS NOT NULL
            ORDER BY 1
        ) AS a
        CROSS JOIN queue_head_interactive AS i
        CROSS JOIN queue_head_background AS b
        LEFT JOIN LATERAL (
            SELECT n.bucket FROM user_position AS n WHERE n.user_id = a.user_id AND n.queue = a.queue
            ORDER BY n.bucket DESC LIMIT 1
        ) AS n ON true
    ), taken AS (
        UPDATE user_position AS t
        SET position = greatest(t.position + 1, a.first_position), changes = t.changes + 1,
            bucket = (t.changes + 1) / 16
        FROM asked AS a
        WHERE t.user_id = a.user_id AND t.queue = a.queue AND t.bucket = a.bucket
        RETURNING t.position, a.number, a.user_id, a.priority, a.deadline, a.queue
    ), begun AS (
        INSERT INTO user_position (user_id, queue, position)
        SELECT a.user_id, a.queue, a.first_position FROM asked AS a WHERE a.bucket IS NULL
    ), placed AS (
        INSERT INTO ready (position, job, user_id, priority, deadline, queue, unordered)
        SELECT t.*, t.priority <> 0 FROM taken AS t
        UNION ALL
        SELECT a.first_position, a.number, a.user_id, a.priority, a.deadline, a.queue, a.priority <> 0
        FROM asked AS a
        WHERE a.bucket IS NULL
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM placed) INTO v_asked, v_done;
    IF v_done < v_asked THEN
        RAISE EXCEPTION 'a position has moved to its next bucket' USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM park_jobs(v_numbers, v_now);

    RETURN QUERY
    SELECT a.place, a.outcome, a.earlier, a.granted, a.held, a.used, v_now, false
    FROM unnest(v_outcomes, v_earlier, v_granted, v_held, v_used) WITH ORDINALITY
        AS a (outcome, earlier, granted, held, used, place);
END
$$;
