-- Stores jobs that subscribe to shared work, or whose result exists already, one after the other.
--
-- Outcomes are those of `submit_jobs`.
CREATE OR REPLACE FUNCTION submit_shared_jobs(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[],
    p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[],
    p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[],
    p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[], p_subjects text[],
    p_owners bigint[], p_keys text[],
    p_shared_ids uuid[], p_shared_inputs text[], p_shared_deadlines bigint[], p_results text[]
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, stored_at bigint,
    is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_place bigint;
    v_same job;
    v_balance balance;
    v_shared_job job;
    v_job job;
    v_hold bigint;
BEGIN
    -- In the common order of locks: permits that shared jobs may take, shared jobs, balances.
    IF EXISTS (SELECT FROM unnest(p_fleet_limits, p_user_limits) AS a (fleet, per_user)
    WHERE coalesce(a.fleet, a.per_user) IS NOT NULL) THEN
        PERFORM lock_permits(
            ARRAY(SELECT a.kind FROM unnest(p_kinds, p_owners) AS a (kind, owner) WHERE a.owner IS NOT NULL),
            ARRAY(SELECT a.owner FROM unnest(p_owners) AS a (owner) WHERE a.owner IS NOT NULL));
    END IF;
    PERFORM FROM (
        SELECT j.number
        FROM unnest(p_owners, p_keys) AS a (owner, key)
        JOIN unique_job AS k ON k.user_id = a.owner AND k.unique_key = a.key
        JOIN job AS j ON j.number = k.job
        ORDER BY j.id
        FOR SHARE OF j
    ) AS locked;
    PERFORM lock_balances(p_users || p_owners);

    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
        SELECT * INTO v_same FROM job AS j WHERE j.id = p_ids[v_place];
        IF FOUND THEN
            RETURN QUERY SELECT v_place,
                CASE WHEN v_same.user_id = p_users[v_place] THEN 'existing' ELSE 'conflict' END, v_same.id,
                0::bigint, 0::bigint, 0::bigint, v_now, false;
            CONTINUE;
        END IF;
        SELECT * INTO v_same
        FROM job AS j
        WHERE j.idempotency_key = p_idempotency_keys[v_place] AND j.user_id + 0 = p_users[v_place];
        IF FOUND THEN
            RETURN QUERY SELECT v_place,
                CASE
                    WHEN v_same.idempotency_fingerprint = p_fingerprints[v_place] THEN 'existing'
                    ELSE 'conflict'
                END,
                v_same.id, 0::bigint, 0::bigint, 0::bigint, v_now, false;
            CONTINUE;
        END IF;
        SELECT j.* INTO v_same
        FROM unique_job AS k
        JOIN job AS j ON j.number = k.job
        WHERE k.user_id = p_users[v_place] AND k.unique_key = p_unique_keys[v_place];
        IF FOUND THEN
            RETURN QUERY SELECT v_place, 'existing', v_same.id, 0::bigint, 0::bigint, 0::bigint, v_now, false;
            CONTINUE;
        END IF;

        v_balance := balance_of(p_users[v_place]);
        IF coalesce(v_balance.granted - v_balance.held - v_balance.used, p_starting[v_place]) < p_costs[v_place] THEN
            RETURN QUERY SELECT v_place, 'short', NULL::uuid, coalesce(v_balance.granted, p_starting[v_place]),
                coalesce(v_balance.held, 0), coalesce(v_balance.used, 0), v_now, false;
            CONTINUE;
        END IF;
        IF v_balance.user_id IS NULL THEN
            PERFORM begin_balances(p_users[v_place:v_place], p_starting[v_place:v_place], v_now);
        END IF;
        v_hold := NULL;
        IF p_costs[v_place] > 0 THEN
            INSERT INTO ledger (user_id, kind, amount, job, created_at)
            VALUES (p_users[v_place], 'hold', p_costs[v_place], p_ids[v_place], v_now)
            RETURNING ledger.entry INTO v_hold;
            PERFORM change_balances(p_users[v_place:v_place], p_costs[v_place:v_place], NULL);
        END IF;

        v_shared_job := NULL;
        IF p_keys[v_place] IS NOT NULL THEN
            v_shared_job := find_shared_job(p_owners[v_place], p_keys[v_place]);
            IF v_shared_job.number IS NULL THEN
                PERFORM FROM submit_jobs(
                    v_now, p_shared_ids[v_place:v_place], p_owners[v_place:v_place], p_kinds[v_place:v_place],
                    p_shared_inputs[v_place:v_place], p_bundles[v_place:v_place], p_queues[v_place:v_place],
                    p_priorities[v_place:v_place], ARRAY[0::bigint], p_max_attempts[v_place:v_place],
                    ARRAY[NULL::text], p_keys[v_place:v_place], ARRAY[NULL::text], ARRAY[NULL::text],
                    p_request_ids[v_place:v_place], p_shared_deadlines[v_place:v_place], ARRAY[NULL::bigint],
                    ARRAY[0::bigint], p_fleet_limits[v_place:v_place], p_user_limits[v_place:v_place],
                    p_subjects[v_place:v_place]);
                v_shared_job := find_shared_job(p_owners[v_place], p_keys[v_place]);
                IF v_shared_job.number IS NULL THEN
                    RAISE EXCEPTION 'the id of a shared_job belongs to another job';
                END IF;
            END IF;
        END IF;

        INSERT INTO job (
            id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, hold, queue, limited, kind,
            bundle, input, concurrency_key, unique_key, idempotency_key, idempotency_fingerprint, request_id, subject,
            shared_owner,
            shared_key, status, progress, result, completed_at
        )
        VALUES (
            p_ids[v_place], p_users[v_place], p_priorities[v_place], p_costs[v_place], p_max_attempts[v_place], v_now,
            p_deadlines[v_place] - v_now, p_deadlines[v_place], v_hold, p_queues[v_place]::queue, false,
            p_kinds[v_place],
            p_bundles[v_place], p_inputs[v_place], p_concurrency_keys[v_place], p_unique_keys[v_place],
            p_idempotency_keys[v_place], p_fingerprints[v_place], p_request_ids[v_place], p_subjects[v_place], p_owners[v_place],
            p_keys[v_place], CASE WHEN p_results[v_place] IS NULL THEN 'pending' ELSE 'completed' END::job_status,
            CASE WHEN p_results[v_place] IS NULL THEN 0 ELSE 100 END, p_results[v_place],
            CASE WHEN p_results[v_place] IS NOT NULL THEN v_now END
        )
        RETURNING * INTO v_job;
        IF v_shared_job.number IS NOT NULL THEN
            PERFORM subscribe_to_shared_job(v_job, v_shared_job, v_now);
            IF v_job.unique_key IS NOT NULL THEN
                INSERT INTO unique_job (user_id, unique_key, job)
                VALUES (v_job.user_id, v_job.unique_key, v_job.number);
            END IF;
        ELSIF v_job.cost > 0 THEN
            INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
            VALUES (v_job.user_id, 'settle', v_job.cost, v_job.id, v_job.hold, v_now);
            PERFORM change_balances(ARRAY[v_job.user_id], ARRAY[-v_job.cost], ARRAY[v_job.cost]);
        END IF;
        IF v_job.completed_at IS NOT NULL
            AND EXISTS (SELECT FROM webhook_endpoint AS e WHERE e.user_id IN (v_job.user_id, -2))
        THEN
            PERFORM store_webhooks(ARRAY[v_job.number]);
        END IF;
        RETURN QUERY SELECT v_place, 'accepted', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, v_now, true;
    END LOOP;
END
$$;

-- Finds the unfinished shared job of a key, and keeps it from ending before this transaction does. NULL when there is
-- none.
CREATE OR REPLACE FUNCTION find_shared_job(p_owner bigint, p_key text) RETURNS job
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_shared_job job;
BEGIN
    SELECT j.* INTO v_shared_job
    FROM unique_job AS k
    JOIN job AS j ON j.number = k.job
    WHERE k.user_id = p_owner AND k.unique_key = p_key
    FOR SHARE OF j;
    -- It may have ended while this transaction waited for the lock.
    IF v_shared_job.completed_at IS NOT NULL THEN
        RETURN NULL;
    END IF;
    RETURN v_shared_job;
END
$$;

-- Subscribes a pending job, which is in no other table of pending jobs, to a shared job.
CREATE OR REPLACE FUNCTION subscribe_to_shared_job(p_job job, p_shared_job job, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    UPDATE job SET subscribed_to = p_shared_job.number, shared_job_revision = p_shared_job.revision,
        shared_job = p_shared_job.id, history = add_place(history, p_now, 'shared')
    WHERE number = p_job.number;
    INSERT INTO subscriber (shared_job, job, deadline) VALUES (p_shared_job.number, p_job.number, p_job.deadline);
    PERFORM park_jobs(ARRAY[p_job.number], p_now);
END
$$;
