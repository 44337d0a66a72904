-- Shared work: a job that follows a leader waits for it and ends with it.
--
-- Followers come after their leaders in the order in which everybody locks: lines of serial keys, slots of kinds, places
-- of pending jobs, jobs that may run by id, jobs that follow by id, balances, turns. Whoever ends a follower has its
-- leader's lock.

ALTER TABLE job
    -- The number of the leader, while the job follows it: the fifth place of a pending job.
    ADD COLUMN following bigint,
    -- The leader's revision when the job began to follow it. What its owner sees is a revision that grows with the
    -- leader's.
    ADD COLUMN shared_job_revision bigint,
    -- What a retry by a person looks for: the key of the work, whose jobs its leaders are, and the last leader.
    ADD COLUMN shared_owner bigint,
    ADD COLUMN shared_key text,
    ADD COLUMN sharedJob uuid,
    ADD CHECK (following IS NULL OR (status = 'pending' AND NOT blocked AND NOT waiting AND NOT limited AND run_at IS NULL)),
    ADD CHECK ((shared_job_revision IS NULL) = (following IS NULL));

-- Unfinished jobs that follow a leader.
CREATE TABLE subscriber (
    sharedJob bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    PRIMARY KEY (sharedJob, job)
) WITH (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX subscriber_deadline ON subscriber (deadline);

-- A job as its owner sees it; `held_up_by` is the job before it in the line of its serial key. One that follows shows how
-- its leader is doing (to the role `dossier_reader`, which does not see leaders, only that it waits).
CREATE OR REPLACE VIEW job_record WITH (security_invoker = true) AS
SELECT
    j.id, j.user_id, j.kind, j.input, j.bundle, coalesce(l.status, j.status)::text AS status, j.queue::text, j.priority,
    coalesce(l.progress, j.progress) AS progress,
    CASE WHEN l.number IS NULL THEN j.current_step ELSE l.current_step END AS current_step,
    coalesce(l.attempt, j.attempt) AS attempt, j.max_attempts, j.cost,
    CASE WHEN l.number IS NULL THEN j.error_code ELSE l.error_code END AS error_code,
    CASE WHEN l.number IS NULL THEN j.error_message ELSE l.error_message END AS error_message,
    CASE WHEN l.number IS NULL THEN j.error_user_message ELSE l.error_user_message END AS error_user_message,
    j.revision + coalesce(l.revision - j.shared_job_revision, 0) AS revision, j.created_at,
    CASE
        WHEN l.number IS NULL THEN j.started_at
        WHEN l.started_at IS NOT NULL THEN greatest(l.started_at, j.created_at)
    END AS started_at,
    j.completed_at, j.deadline, j.run_at,
    CASE
        WHEN j.blocked THEN (
            SELECT p.id
            FROM serial_line AS s
            JOIN job AS p ON p.number = s.job
            WHERE s.user_id = j.user_id AND s.concurrency_key = j.concurrency_key AND (s.holds OR s.job < j.number)
            ORDER BY s.holds, s.job DESC
            LIMIT 1
        )
    END AS held_up_by,
    j.waiting,
    j.number,
    j.following IS NOT NULL AS is_following
FROM job AS j
LEFT JOIN job AS l ON l.number = j.following;

-- Locks jobs that may end, with all who follow them and the leaders of those that follow themselves; the numbers of the
-- former two.
CREATE FUNCTION lock_jobs(p_jobs bigint[]) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_shared_jobs bigint[] := ARRAY(
        SELECT j.following
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.following IS NOT NULL
    );
    v_subscribers bigint[];
BEGIN
    PERFORM FROM job WHERE number = ANY (p_jobs || v_shared_jobs) AND following IS NULL ORDER BY id FOR UPDATE;
    -- Nobody begins to follow a job that is locked.
    v_subscribers := ARRAY(SELECT f.job FROM subscriber AS f WHERE f.sharedJob = ANY (p_jobs));
    IF cardinality(v_subscribers) > 0 OR cardinality(v_shared_jobs) > 0 THEN
        PERFORM FROM job WHERE number = ANY (p_jobs || v_subscribers) AND following IS NOT NULL ORDER BY id FOR UPDATE;
    END IF;
    RETURN p_jobs || v_subscribers;
END
$$;

-- Ends all who follow jobs as these have ended: with a copy of the result and their holds settled, or with the error and
-- their holds released.
CREATE FUNCTION end_subscribers(p_shared_jobs bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    v_account_owners bigint[];
    v_held bigint[];
    v_used bigint[];
BEGIN
    WITH gone AS (
        DELETE FROM subscriber AS f WHERE f.sharedJob = ANY (p_shared_jobs) RETURNING f.sharedJob, f.job
    ), ended AS (
        UPDATE job AS j
        SET status = l.status,
            progress = l.progress,
            current_step = l.current_step,
            attempt = l.attempt,
            started_at = CASE WHEN l.started_at IS NOT NULL THEN greatest(l.started_at, j.created_at) END,
            completed_at = l.completed_at,
            error_code = l.error_code,
            error_message = l.error_message,
            error_user_message = l.error_user_message,
            result = l.result,
            revision = j.revision + l.revision - j.shared_job_revision,
            following = NULL,
            shared_job_revision = NULL
        FROM gone AS g
        JOIN job AS l ON l.number = g.sharedJob
        WHERE j.number = g.job
        RETURNING j.number, j.id, j.user_id, j.cost, j.hold, j.unique_key, j.status
    ), left_joiners AS (
        DELETE FROM joinable AS k
        USING ended AS e
        WHERE k.user_id = e.user_id AND k.unique_key = e.unique_key AND k.job = e.number
    ), closed AS (
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        SELECT e.user_id, CASE e.status WHEN 'completed' THEN 'settle' ELSE 'release' END::ledger_kind, e.cost, e.id,
            e.hold, p_now
        FROM ended AS e
        WHERE e.cost > 0
    )
    SELECT array_agg(e.user_id), array_agg(-e.cost), array_agg(CASE e.status WHEN 'completed' THEN e.cost ELSE 0 END)
    INTO v_account_owners, v_held, v_used
    FROM ended AS e
    WHERE e.cost > 0;
    IF v_account_owners IS NOT NULL THEN
        PERFORM change_balances(v_account_owners, v_held, v_used);
    END IF;
END
$$;

-- The unfinished leader of a key, which then does not end before this transaction does; NULL when there is none.
CREATE FUNCTION find_shared_job(p_owner bigint, p_key text) RETURNS job
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_shared_job job;
BEGIN
    SELECT j.* INTO v_shared_job
    FROM joinable AS k
    JOIN job AS j ON j.number = k.job
    WHERE k.user_id = p_owner AND k.unique_key = p_key
    FOR SHARE OF j;
    -- It may have ended while this waited for it.
    IF v_shared_job.completed_at IS NOT NULL THEN
        RETURN NULL;
    END IF;
    RETURN v_shared_job;
END
$$;

-- Lets a pending job that is in no place follow a leader.
CREATE FUNCTION join_shared_job(p_job job, p_shared_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    UPDATE job SET following = p_shared_job.number, shared_job_revision = p_shared_job.revision, sharedJob = p_shared_job.id
    WHERE number = p_job.number;
    INSERT INTO subscriber (sharedJob, job, deadline) VALUES (p_shared_job.number, p_job.number, p_job.deadline);
END
$$;

-- Takes in jobs that share work or whose result is there already, one after the other; outcomes as of `submit_jobs`.
CREATE FUNCTION submit_shared_jobs(
    p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[],
    p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[],
    p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[],
    p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[], p_owners bigint[], p_keys text[],
    p_shared_job_ids uuid[], p_shared_job_inputs text[], p_shared_job_deadlines bigint[], p_results text[]
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
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
    -- In the order in which everybody locks: slots that leaders may take, leaders, balances.
    IF EXISTS (SELECT FROM unnest(p_fleet_limits, p_user_limits) AS a (fleet, per_user) WHERE coalesce(a.fleet, a.per_user) IS NOT NULL) THEN
        PERFORM lock_slots(
            ARRAY(SELECT a.kind FROM unnest(p_kinds, p_owners) AS a (kind, owner) WHERE a.owner IS NOT NULL),
            ARRAY(SELECT a.owner FROM unnest(p_owners) AS a (owner) WHERE a.owner IS NOT NULL));
    END IF;
    PERFORM FROM (
        SELECT j.number
        FROM unnest(p_owners, p_keys) AS a (owner, key)
        JOIN joinable AS k ON k.user_id = a.owner AND k.unique_key = a.key
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
        FROM joinable AS k
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
                    v_now, p_shared_job_ids[v_place:v_place], p_owners[v_place:v_place], p_kinds[v_place:v_place],
                    p_shared_job_inputs[v_place:v_place], p_bundles[v_place:v_place], p_queues[v_place:v_place],
                    p_priorities[v_place:v_place], ARRAY[0::bigint], p_max_attempts[v_place:v_place],
                    ARRAY[NULL::text], p_keys[v_place:v_place], ARRAY[NULL::text], ARRAY[NULL::text],
                    p_request_ids[v_place:v_place], p_shared_job_deadlines[v_place:v_place], ARRAY[NULL::bigint],
                    ARRAY[0::bigint], p_fleet_limits[v_place:v_place], p_user_limits[v_place:v_place]);
                v_shared_job := find_shared_job(p_owners[v_place], p_keys[v_place]);
                IF v_shared_job.number IS NULL THEN
                    RAISE EXCEPTION 'the id of a sharedJob belongs to another job';
                END IF;
            END IF;
        END IF;

        INSERT INTO job (
            id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, hold, queue, limited, kind,
            bundle, input, concurrency_key, unique_key, idempotency_key, idempotency_fingerprint, request_id, shared_owner,
            shared_key, status, progress, result, completed_at
        )
        VALUES (
            p_ids[v_place], p_users[v_place], p_priorities[v_place], p_costs[v_place], p_max_attempts[v_place], v_now,
            p_deadlines[v_place] - v_now, p_deadlines[v_place], v_hold, p_queues[v_place]::queue, false, p_kinds[v_place],
            p_bundles[v_place], p_inputs[v_place], p_concurrency_keys[v_place], p_unique_keys[v_place],
            p_idempotency_keys[v_place], p_fingerprints[v_place], p_request_ids[v_place], p_owners[v_place],
            p_keys[v_place], CASE WHEN p_results[v_place] IS NULL THEN 'pending' ELSE 'completed' END::job_status,
            CASE WHEN p_results[v_place] IS NULL THEN 0 ELSE 100 END, p_results[v_place],
            CASE WHEN p_results[v_place] IS NOT NULL THEN v_now END
        )
        RETURNING * INTO v_job;
        IF v_shared_job.number IS NOT NULL THEN
            PERFORM join_shared_job(v_job, v_shared_job);
            IF v_job.unique_key IS NOT NULL THEN
                INSERT INTO joinable (user_id, unique_key, job) VALUES (v_job.user_id, v_job.unique_key, v_job.number);
            END IF;
        ELSIF v_job.cost > 0 THEN
            INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
            VALUES (v_job.user_id, 'settle', v_job.cost, v_job.id, v_job.hold, v_now);
            PERFORM change_balances(ARRAY[v_job.user_id], ARRAY[-v_job.cost], ARRAY[v_job.cost]);
        END IF;
        RETURN QUERY SELECT v_place, 'accepted', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, v_now, true;
    END LOOP;
END
$$;
