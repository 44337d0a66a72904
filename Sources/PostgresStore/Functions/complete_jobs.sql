-- Stores results, settles holds and ends subscribers.
--
-- A result comes as text or compressed. `is_done` is true for each job that this epoch completed, now or in an earlier call, and false for a lost lease.
CREATE OR REPLACE FUNCTION complete_jobs(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_results text[], p_packed bytea[]
) RETURNS TABLE (place bigint, is_done boolean, made_ready boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_places bigint[];
    v_serialized bigint[];
    v_limited bigint[];
    v_shared_jobs bigint[];
    v_numbers bigint[];
    v_unique_users bigint[];
    v_unique_keys text[];
    v_account_owners bigint[];
    v_costs bigint[];
    v_paid uuid[];
    v_holds bigint[];
    v_heard bigint[];
    v_job job;
BEGIN
    IF EXISTS (SELECT FROM serialized_job) OR EXISTS (SELECT FROM kind_limit) OR EXISTS (SELECT FROM subscriber) THEN
        v_numbers := ARRAY(
            SELECT j.number
            FROM unnest(p_ids) AS a (id)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j
        );
        PERFORM lock_concurrency_keys_of(v_numbers);
        PERFORM lock_permits_of(v_numbers);
        IF EXISTS (SELECT FROM subscriber AS s WHERE s.shared_job = ANY (v_numbers)) THEN
            PERFORM lock_balances_of(lock_jobs(v_numbers));
        END IF;
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
            packed = a.packed,
            completed_at = v_now,
            revision = j.revision + 1
        FROM unnest(p_ids, p_epochs, p_results, p_packed) WITH ORDINALITY AS a (id, epoch, result, packed, place)
        WHERE j.id = a.id AND j.epoch = a.epoch AND j.status = 'processing'
        RETURNING a.place, j.number, j.id, j.user_id, j.cost, j.hold, j.worker, j.concurrency_key, j.unique_key,
            j.limited
    ), left_worker AS (
        DELETE FROM lease AS l USING done AS d WHERE l.worker = d.worker AND l.job = d.number
    )
    SELECT
        array_agg(d.place), array_agg(d.number) FILTER (WHERE d.concurrency_key IS NOT NULL),
        array_agg(d.number) FILTER (WHERE d.limited), array_agg(d.number) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.unique_key) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.cost > 0), array_agg(d.cost) FILTER (WHERE d.cost > 0),
        array_agg(d.id) FILTER (WHERE d.cost > 0), array_agg(d.hold) FILTER (WHERE d.cost > 0),
        array_agg(d.number) FILTER (
            WHERE EXISTS (SELECT FROM webhook_endpoint AS e WHERE e.user_id IN (d.user_id, -2)))
    INTO v_places, v_serialized, v_limited, v_shared_jobs, v_unique_users, v_unique_keys, v_account_owners, v_costs,
        v_paid, v_holds, v_heard
    FROM done AS d;
    IF v_heard IS NOT NULL THEN
        PERFORM store_webhooks(v_heard);
    END IF;
    IF v_shared_jobs IS NOT NULL THEN
        DELETE FROM unique_job AS k
        USING unnest(v_unique_users, v_unique_keys, v_shared_jobs) AS d (user_id, unique_key, job)
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
            PERFORM add_to_user_concurrency(v_job.kind, v_job.user_id, -1, 0);
            PERFORM pass_on_permit(v_job, v_now);
        END LOOP;
    END IF;
    IF v_serialized IS NOT NULL THEN
        PERFORM pass_on_concurrency_keys(v_serialized, v_now);
    END IF;
    IF v_places IS NOT NULL AND cardinality(v_places) = cardinality(p_ids) THEN
        RETURN QUERY SELECT a.place, true, coalesce(v_serialized, v_limited) IS NOT NULL
        FROM unnest(v_places) AS a (place);
        RETURN;
    END IF;
    RETURN QUERY
    SELECT a.place, coalesce(j.status = 'completed' AND coalesce(j.epoch, j.counts >> 44) = a.epoch, false),
        coalesce(v_serialized, v_limited) IS NOT NULL
    FROM unnest(p_ids, p_epochs) WITH ORDINALITY AS a (id, epoch, place)
    LEFT JOIN job AS j ON j.id = a.id;
END
$$;

-- Ends the subscribers of finished shared jobs in the same way: with a copy of the result and their holds settled, or
-- with the error and their holds released.
CREATE OR REPLACE FUNCTION end_subscribers(p_shared_jobs bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_account_owners bigint[];
    v_held bigint[];
    v_used bigint[];
    v_heard bigint[];
BEGIN
    WITH gone AS (
        DELETE FROM subscriber AS s WHERE s.shared_job = ANY (p_shared_jobs) RETURNING s.shared_job, s.job
    ), ended AS (
        UPDATE job AS j
        SET status = shared.status,
            progress = shared.progress,
            current_step = shared.current_step,
            attempt = shared.attempt,
            started_at = CASE WHEN shared.started_at IS NOT NULL THEN greatest(shared.started_at, j.created_at) END,
            completed_at = shared.completed_at,
            deadline = running_deadline(j.deadline, p_now),
            error_code = shared.error_code,
            error_message = shared.error_message,
            error_user_message = shared.error_user_message,
            result = shared.result,
            packed = shared.packed,
            revision = j.revision + shared.revision - j.shared_job_revision,
            subscribed_to = NULL,
            shared_job_revision = NULL
        FROM gone AS g
        JOIN job AS shared ON shared.number = g.shared_job
        WHERE j.number = g.job
        RETURNING j.number, j.id, j.user_id, j.cost, j.hold, j.unique_key, j.status
    ), freed_keys AS (
        DELETE FROM unique_job AS k
        USING ended AS e
        WHERE k.user_id = e.user_id AND k.unique_key = e.unique_key AND k.job = e.number
    ), closed AS (
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        SELECT e.user_id, CASE e.status WHEN 'completed' THEN 'settle' ELSE 'release' END::ledger_kind, e.cost, e.id,
            e.hold, p_now
        FROM ended AS e
        WHERE e.cost > 0
    )
    SELECT
        array_agg(e.user_id) FILTER (WHERE e.cost > 0), array_agg(-e.cost) FILTER (WHERE e.cost > 0),
        array_agg(CASE e.status WHEN 'completed' THEN e.cost ELSE 0 END) FILTER (WHERE e.cost > 0),
        array_agg(e.number) FILTER (
            WHERE EXISTS (SELECT FROM webhook_endpoint AS w WHERE w.user_id IN (e.user_id, -2)))
    INTO v_account_owners, v_held, v_used, v_heard
    FROM ended AS e;
    IF v_heard IS NOT NULL THEN
        PERFORM store_webhooks(v_heard);
    END IF;
    IF v_account_owners IS NOT NULL THEN
        PERFORM change_balances(v_account_owners, v_held, v_used);
    END IF;
END
$$;
