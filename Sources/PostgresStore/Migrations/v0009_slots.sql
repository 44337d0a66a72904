-- The slots of kinds with limits. At the end of every transaction, no job waits that could have a slot. So whoever finds
-- one free may take it: nobody has waited for it.

-- Waits for the slots of kinds: where the fleet has a limit, for all of the kind's, else for those of the users.
CREATE FUNCTION lock_slots(p_kinds text[], p_users bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    PERFORM FROM kind_limit AS k WHERE k.kind = ANY (p_kinds) AND k.fleet IS NULL ORDER BY k.kind FOR SHARE;
    PERFORM FROM kind_limit AS k WHERE k.kind = ANY (p_kinds) AND k.fleet IS NOT NULL ORDER BY k.kind FOR UPDATE;
    PERFORM pg_advisory_xact_lock(s.hash)
    FROM (
        SELECT DISTINCT hashtextextended('slot ' || a.kind, a.user_id) AS hash
        FROM unnest(p_kinds, p_users) AS a (kind, user_id)
        ORDER BY 1
    ) AS s;
END
$$;

-- Waits for the slots that some jobs have or may need, and those behind them in line.
CREATE FUNCTION lock_slots_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_kinds text[];
    v_users bigint[];
BEGIN
    IF NOT EXISTS (SELECT FROM kind_limit) THEN
        RETURN;
    END IF;
    SELECT array_agg(n.kind), array_agg(n.user_id) INTO v_kinds, v_users
    FROM (
        SELECT j.kind, j.user_id
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.limited
        UNION
        SELECT k.kind, k.user_id
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job AND concurrency_key IS NOT NULL OFFSET 0) AS j
        CROSS JOIN LATERAL (
            SELECT * FROM serial_line AS s WHERE s.user_id = j.user_id AND s.concurrency_key = j.concurrency_key OFFSET 0
        ) AS l
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = l.job OFFSET 0) AS k
        WHERE k.limited
    ) AS n;
    IF v_kinds IS NOT NULL THEN
        PERFORM lock_slots(v_kinds, v_users);
    END IF;
END
$$;

-- Whether a job holds a slot of its kind: it is ready or runs.
CREATE FUNCTION holds_slot(p_job job) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    RETURN p_job.limited AND (
        p_job.status = 'processing'
        OR (p_job.status = 'pending' AND NOT p_job.blocked AND NOT p_job.waiting AND p_job.run_at IS NULL));
END
$$;

CREATE FUNCTION add_to_share(p_kind text, p_user bigint, p_taken bigint, p_waiting bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    INSERT INTO user_concurrency AS s (kind, user_id, taken, waiting)
    VALUES (p_kind, p_user, greatest(p_taken, 0), greatest(p_waiting, 0))
    ON CONFLICT (kind, user_id) DO UPDATE SET taken = s.taken + p_taken, waiting = s.waiting + p_waiting;
    UPDATE kind_limit SET taken = taken + p_taken WHERE kind = p_kind AND fleet IS NOT NULL AND p_taken <> 0;
END
$$;

-- Takes a slot if there is one for the user.
CREATE FUNCTION take_slot(p_kind text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_limit kind_limit;
    v_taken bigint;
BEGIN
    SELECT * INTO STRICT v_limit FROM kind_limit WHERE kind = p_kind;
    SELECT taken INTO v_taken FROM user_concurrency WHERE kind = p_kind AND user_id = p_user;
    IF v_limit.taken >= v_limit.fleet OR coalesce(v_taken, 0) >= v_limit.per_user THEN
        RETURN false;
    END IF;
    PERFORM add_to_share(p_kind, p_user, 1, 0);
    RETURN true;
END
$$;

-- Gives a user a place in the round of the fleet's slots while they could use one, and takes it while they could not;
-- forgets a user who has nothing.
CREATE FUNCTION take_position(p_kind text, p_user bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_limit kind_limit;
    v_share user_concurrency;
    v_is_in_round boolean;
    v_turn bigint;
BEGIN
    SELECT * INTO v_share FROM user_concurrency WHERE kind = p_kind AND user_id = p_user;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_share.taken = 0 AND v_share.waiting = 0 THEN
        DELETE FROM user_concurrency WHERE kind = p_kind AND user_id = p_user;
        RETURN;
    END IF;
    SELECT * INTO v_limit FROM kind_limit WHERE kind = p_kind;
    v_is_in_round := v_limit.fleet IS NOT NULL AND v_share.waiting > 0
        AND coalesce(v_share.taken < v_limit.per_user, true);
    IF v_is_in_round = (v_share.turn IS NOT NULL) THEN
        RETURN;
    END IF;
    IF v_is_in_round THEN
        UPDATE kind_limit SET turns = turns + 1 WHERE kind = p_kind RETURNING turns INTO v_turn;
    END IF;
    UPDATE user_concurrency SET turn = v_turn WHERE kind = p_kind AND user_id = p_user;
END
$$;

-- Moves a user's best waiting job to the ready ones, with a slot.
CREATE FUNCTION promote_best(p_kind text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_best bigint;
    v_job job;
BEGIN
    DELETE FROM waiting
    WHERE ctid = (
        SELECT w.ctid
        FROM waiting AS w
        WHERE w.kind = p_kind AND w.user_id = p_user
        ORDER BY w.kind, w.user_id, w.priority DESC, w.job
        LIMIT 1
    )
    RETURNING job INTO v_best;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM add_to_share(p_kind, p_user, 1, -1);
    UPDATE job SET waiting = false, revision = revision + 1 WHERE number = v_best RETURNING * INTO v_job;
    PERFORM enter_ready(v_job, v_job.epoch > 0);
    RETURN true;
END
$$;

-- Lets a user's jobs through up to their own limit.
CREATE FUNCTION promote_user(p_kind text, p_user bigint, p_per_user bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    WHILE EXISTS (
        SELECT
        FROM user_concurrency AS s
        WHERE s.kind = p_kind AND s.user_id = p_user AND s.waiting > 0 AND coalesce(s.taken < p_per_user, true)
    ) LOOP
        EXIT WHEN NOT promote_best(p_kind, p_user);
    END LOOP;
    PERFORM take_position(p_kind, p_user);
END
$$;

-- Lets jobs through up to the fleet's limit, users in turn.
CREATE FUNCTION promote_in_turn(p_kind text) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_user bigint;
BEGIN
    WHILE EXISTS (SELECT FROM kind_limit AS k WHERE k.kind = p_kind AND k.taken < k.fleet) LOOP
        SELECT s.user_id INTO v_user
        FROM user_concurrency AS s
        WHERE s.kind = p_kind AND s.turn IS NOT NULL
        ORDER BY s.kind, s.turn
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        EXIT WHEN NOT promote_best(p_kind, v_user);
        -- To the end of the round.
        UPDATE user_concurrency SET turn = NULL WHERE kind = p_kind AND user_id = v_user;
        PERFORM take_position(p_kind, v_user);
    END LOOP;
END
$$;

-- Gives the slot that a job has left to whoever comes next. The job is as it was while it had the slot, or has ended.
CREATE FUNCTION pass_on_slot(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_limit kind_limit;
BEGIN
    IF NOT p_job.limited THEN
        RETURN;
    END IF;
    SELECT * INTO v_limit FROM kind_limit WHERE kind = p_job.kind;
    PERFORM take_position(p_job.kind, p_job.user_id);
    IF v_limit.fleet IS NULL THEN
        PERFORM promote_user(p_job.kind, p_job.user_id, v_limit.per_user);
    ELSE
        PERFORM promote_in_turn(p_job.kind);
    END IF;
END
$$;

-- Makes a bundle the current one and its limits those of its kinds, and lets through who may go now.
CREATE FUNCTION adopt_bundle(
    p_now bigint, p_hash text, p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[]
) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_new record;
    v_limit kind_limit;
    v_users bigint[];
    v_user bigint;
BEGIN
    INSERT INTO current_bundle (one, hash, adopted_at)
    VALUES (1, p_hash, coalesce(p_now, store_now()))
    ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, adopted_at = excluded.adopted_at;
    FOR v_new IN
        SELECT * FROM unnest(p_kinds, p_fleet_limits, p_user_limits) AS a (kind, fleet, per_user) ORDER BY a.kind
    LOOP
        IF coalesce(v_new.fleet, v_new.per_user) IS NOT NULL THEN
            INSERT INTO kind_limit (kind, fleet, per_user) VALUES (v_new.kind, v_new.fleet, v_new.per_user)
            ON CONFLICT (kind) DO NOTHING;
        END IF;
        SELECT * INTO v_limit FROM kind_limit WHERE kind = v_new.kind FOR UPDATE;
        CONTINUE WHEN NOT FOUND
            OR (v_limit.fleet IS NOT DISTINCT FROM v_new.fleet AND v_limit.per_user IS NOT DISTINCT FROM v_new.per_user);
        -- Without a limit for the fleet nobody counted its slots.
        UPDATE kind_limit
        SET fleet = v_new.fleet, per_user = v_new.per_user,
            taken = (SELECT coalesce(sum(s.taken), 0) FROM user_concurrency AS s WHERE s.kind = v_new.kind)
        WHERE kind = v_new.kind;
        UPDATE user_concurrency SET turn = NULL WHERE kind = v_new.kind AND turn IS NOT NULL;
        -- Whoever waits longest comes first.
        v_users := ARRAY(
            SELECT s.user_id
            FROM user_concurrency AS s
            WHERE s.kind = v_new.kind AND s.waiting > 0
            ORDER BY (SELECT min(w.job) FROM waiting AS w WHERE w.kind = s.kind AND w.user_id = s.user_id)
        );
        FOREACH v_user IN ARRAY v_users LOOP
            PERFORM take_position(v_new.kind, v_user);
        END LOOP;
        IF v_new.fleet IS NULL THEN
            FOREACH v_user IN ARRAY v_users LOOP
                PERFORM promote_user(v_new.kind, v_user, v_new.per_user);
            END LOOP;
        ELSE
            PERFORM promote_in_turn(v_new.kind);
        END IF;
    END LOOP;
    RETURN true;
END
$$;

-- Submits the job of a schedule's tick, once in the whole fleet. Outcomes beside those of a submit: `noted` for a new
-- schedule, `fired` when this tick or a later one was before.
CREATE FUNCTION fire_tick(
    p_schedule text, p_timestamp bigint, p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[],
    p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[],
    p_concurrency_keys text[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[],
    p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[], p_starting bigint[], p_fleet_limits bigint[],
    p_user_limits bigint[]
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_last bigint;
    v_outcome record;
BEGIN
    INSERT INTO schedule_tick (schedule, timestamp) VALUES (p_schedule, p_timestamp) ON CONFLICT (schedule) DO NOTHING;
    IF FOUND THEN
        RETURN QUERY SELECT 1::bigint, 'noted', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint, false;
        RETURN;
    END IF;
    SELECT t.timestamp INTO v_last FROM schedule_tick AS t WHERE t.schedule = p_schedule FOR UPDATE;
    IF v_last >= p_timestamp AND NOT EXISTS (SELECT FROM job AS j WHERE j.id = p_ids[1]) THEN
        RETURN QUERY SELECT 1::bigint, 'fired', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint, false;
        RETURN;
    END IF;
    SELECT * INTO v_outcome
    FROM submit_jobs(
        p_now, p_ids, p_users, p_kinds, p_inputs, p_bundles, p_queues, p_priorities, p_costs, p_max_attempts,
        p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints, p_request_ids, p_deadlines, p_run_ats,
        p_starting, p_fleet_limits, p_user_limits);
    IF v_outcome.outcome IN ('accepted', 'existing') THEN
        UPDATE schedule_tick AS t SET timestamp = greatest(t.timestamp, p_timestamp) WHERE t.schedule = p_schedule;
    END IF;
    RETURN QUERY SELECT v_outcome.place, v_outcome.outcome, v_outcome.earlier, v_outcome.granted, v_outcome.held,
        v_outcome.used, v_outcome.timestamp, v_outcome.is_blocked;
END
$$;

-- Changes budgets, all or none, if they are all still as the caller knows them, by their version; 0 is none yet. What
-- they are now, and whether the caller knew.
CREATE FUNCTION exchange_budgets(p_names text[], p_versions bigint[], p_states text[])
RETURNS TABLE (name text, is_current boolean, version bigint, state text, timestamp bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_are_current boolean;
BEGIN
    PERFORM FROM budget AS b WHERE b.name = ANY (p_names) ORDER BY b.name FOR UPDATE;
    v_are_current := NOT EXISTS (
        SELECT
        FROM unnest(p_names, p_versions) AS a (name, version)
        LEFT JOIN budget AS b ON b.name = a.name
        WHERE coalesce(b.version, 0) <> a.version
    );
    IF v_are_current THEN
        UPDATE budget AS b SET version = b.version + 1, state = a.state
        FROM unnest(p_names, p_states) AS a (name, state)
        WHERE b.name = a.name AND a.state IS NOT NULL;
        INSERT INTO budget (name, version, state)
        SELECT a.name, 1, a.state
        FROM unnest(p_names, p_versions, p_states) AS a (name, version, state)
        WHERE a.version = 0 AND a.state IS NOT NULL;
    END IF;
    RETURN QUERY
    SELECT a.name, v_are_current, coalesce(b.version, 0), b.state, store_now()
    FROM unnest(p_names) AS a (name)
    LEFT JOIN budget AS b ON b.name = a.name;
END
$$;
