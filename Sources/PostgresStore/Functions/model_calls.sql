-- Books model calls before their requests leave, if the limits of the day permit their estimates.
--
-- `outcome` is `booked`, `lost` for a void lease, or the name of the limit that the call would exceed. The sums are
-- those after it. Of calls of one batch, those of a user wait for each other, and for calls of the user in other
-- transactions; calls of other users pass the service's limits at most together by the calls that are booked at the
-- same moment.
CREATE OR REPLACE FUNCTION begin_model_calls(
    p_now bigint, p_jobs uuid[], p_epochs bigint[], p_ids text[], p_providers text[], p_models text[],
    p_input_tokens bigint[], p_output_tokens bigint[], p_costs bigint[], p_user_limits bigint[],
    p_service_limits bigint[], p_free_limits bigint[]
) RETURNS TABLE (
    place bigint, outcome text, user_micro_dollars bigint, service_micro_dollars bigint, free_micro_dollars bigint,
    day_end bigint
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_day bigint := v_now / 86400000;
    v_call record;
    v_user bigint;
    v_service bigint;
    v_free bigint;
    v_added bigint := 0;
    v_added_free bigint := 0;
    v_outcome text;
BEGIN
    -- A booking need not survive a crash of the database: the end of the call books it again. So nobody waits for the
    -- disk.
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT coalesce(sum(s.micro_dollars), 0), coalesce(sum(s.free_micro_dollars), 0)
    INTO v_service, v_free
    FROM service_spend AS s
    WHERE s.day = v_day;
    FOR v_call IN
        SELECT a.place, a.id, a.job, a.epoch, a.cost, j.kind, coalesce(j.billed_user, j.user_id) AS user_id,
            j.cost = 0 AS free
        FROM unnest(p_ids, p_jobs, p_epochs, p_costs) WITH ORDINALITY AS a (id, job, epoch, cost, place)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.job OFFSET 0) AS j
        WHERE j.epoch = a.epoch AND j.status = 'processing'
        ORDER BY coalesce(j.billed_user, j.user_id), a.id
    LOOP
        INSERT INTO user_spend (day, user_id, micro_dollars)
        VALUES (v_day, v_call.user_id, 0)
        ON CONFLICT (day, user_id) DO NOTHING;
        SELECT s.micro_dollars INTO v_user
        FROM user_spend AS s
        WHERE s.day = v_day AND s.user_id = v_call.user_id
        FOR UPDATE;
        v_outcome := CASE
            WHEN EXISTS (SELECT FROM model_call AS m WHERE m.id = v_call.id) THEN 'known'
            WHEN v_user + v_call.cost > p_user_limits[v_call.place] THEN 'user'
            WHEN v_service + v_call.cost > p_service_limits[v_call.place] THEN 'service'
            WHEN v_call.free AND v_free + v_call.cost > p_free_limits[v_call.place] THEN 'free'
            ELSE 'booked'
        END;
        IF v_outcome = 'booked' THEN
            INSERT INTO model_call (
                id, job, user_id, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
                cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at
            )
            VALUES (
                v_call.id, v_call.job, v_call.user_id, v_call.kind, v_call.epoch, v_call.free,
                p_providers[v_call.place], p_models[v_call.place], 'running', 0, p_input_tokens[v_call.place],
                p_output_tokens[v_call.place], 0, 0, v_call.cost, v_now);
            UPDATE user_spend AS s
            SET micro_dollars = s.micro_dollars + v_call.cost
            WHERE s.day = v_day AND s.user_id = v_call.user_id;
            v_user := v_user + v_call.cost;
            v_service := v_service + v_call.cost;
            v_added := v_added + v_call.cost;
            IF v_call.free THEN
                v_free := v_free + v_call.cost;
                v_added_free := v_added_free + v_call.cost;
            END IF;
        END IF;
        RETURN QUERY SELECT v_call.place, CASE v_outcome WHEN 'known' THEN 'booked' ELSE v_outcome END, v_user,
            v_service, v_free, (v_day + 1) * 86400000;
    END LOOP;
    PERFORM add_service_spend(v_day, v_added, v_added_free);
END
$$;

-- Books the ends of calls, whoever owns their jobs by now.
--
-- A row takes a better knowledge and keeps it. A call that is not booked yet is booked now, while its job exists.
CREATE OR REPLACE FUNCTION settle_model_calls(
    p_now bigint, p_jobs uuid[], p_ids text[], p_providers text[], p_models text[], p_states text[],
    p_certainties bigint[], p_input_tokens bigint[], p_output_tokens bigint[], p_cache_read_tokens bigint[],
    p_cache_write_tokens bigint[], p_costs bigint[], p_epochs bigint[]
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_call record;
    v_booked model_call;
    v_days bigint[] := '{}';
    v_users bigint[] := '{}';
    v_changes bigint[] := '{}';
    v_free_changes bigint[] := '{}';
    v_change record;
BEGIN
    FOR v_call IN
        SELECT * FROM unnest(
            p_jobs, p_ids, p_providers, p_models, p_states, p_certainties, p_input_tokens, p_output_tokens,
            p_cache_read_tokens, p_cache_write_tokens, p_costs, p_epochs
        ) WITH ORDINALITY AS c (
            job, id, provider, model, state, certainty, input_tokens, output_tokens, cache_read_tokens,
            cache_write_tokens, cost, epoch, place)
        ORDER BY c.id, c.place
    LOOP
        SELECT * INTO v_booked FROM model_call WHERE id = v_call.id FOR UPDATE;
        IF FOUND THEN
            CONTINUE WHEN NOT (
                v_booked.state = 'running' OR v_booked.certainty < v_call.certainty
                OR (v_booked.state = 'cut' AND v_booked.certainty = 0));
            UPDATE model_call
            SET state = v_call.state::call_state, certainty = v_call.certainty, input_tokens = v_call.input_tokens,
                output_tokens = v_call.output_tokens, cache_read_tokens = v_call.cache_read_tokens,
                cache_write_tokens = v_call.cache_write_tokens, cost_micro_dollars = v_call.cost, ended_at = v_now
            WHERE id = v_call.id;
        ELSE
            INSERT INTO model_call (
                id, job, user_id, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
                cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at, ended_at
            )
            SELECT v_call.id, j.id, coalesce(j.billed_user, j.user_id), j.kind, v_call.epoch, j.cost = 0, v_call.provider,
                v_call.model, v_call.state::call_state, v_call.certainty, v_call.input_tokens, v_call.output_tokens,
                v_call.cache_read_tokens, v_call.cache_write_tokens, v_call.cost, v_now, v_now
            FROM job AS j
            WHERE j.id = v_call.job
            ON CONFLICT (id) DO NOTHING
            RETURNING * INTO v_booked;
            CONTINUE WHEN NOT FOUND;
            v_booked.cost_micro_dollars := 0;
        END IF;
        v_days := v_days || v_booked.created_at / 86400000;
        v_users := v_users || v_booked.user_id;
        v_changes := v_changes || v_call.cost - v_booked.cost_micro_dollars;
        v_free_changes := v_free_changes
            || CASE WHEN v_booked.free THEN v_call.cost - v_booked.cost_micro_dollars ELSE 0 END;
    END LOOP;
    INSERT INTO user_spend AS s (day, user_id, micro_dollars)
    SELECT c.day, c.user_id, sum(c.change)
    FROM unnest(v_days, v_users, v_changes) AS c (day, user_id, change)
    GROUP BY c.day, c.user_id
    HAVING sum(c.change) <> 0
    ORDER BY c.day, c.user_id
    ON CONFLICT (day, user_id) DO UPDATE SET micro_dollars = s.micro_dollars + excluded.micro_dollars;
    FOR v_change IN
        SELECT c.day, sum(c.change)::bigint AS change, sum(c.free)::bigint AS free
        FROM unnest(v_days, v_changes, v_free_changes) AS c (day, change, free)
        GROUP BY c.day
        ORDER BY c.day
    LOOP
        PERFORM add_service_spend(v_change.day, v_change.change, v_change.free);
    END LOOP;
END
$$;

-- Adds to the service's sums of a day, in a row that sessions of other processes rarely change.
CREATE OR REPLACE FUNCTION add_service_spend(p_day bigint, p_change bigint, p_free bigint) RETURNS void
LANGUAGE sql
AS $$
INSERT INTO service_spend AS s (day, bucket, micro_dollars, free_micro_dollars)
SELECT p_day, pg_backend_pid() % 8, p_change, p_free
WHERE p_change <> 0 OR p_free <> 0
ON CONFLICT (day, bucket) DO UPDATE
SET micro_dollars = s.micro_dollars + excluded.micro_dollars,
    free_micro_dollars = s.free_micro_dollars + excluded.free_micro_dollars
$$;

-- The sums of the present day.
CREATE OR REPLACE FUNCTION spend_of_day(p_now bigint, p_user bigint) RETURNS TABLE (
    micro_dollars bigint, service_micro_dollars bigint, free_micro_dollars bigint, day_end bigint
)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN QUERY
    SELECT
        coalesce((SELECT s.micro_dollars FROM user_spend AS s WHERE s.day = t.day AND s.user_id = p_user), 0),
        (SELECT coalesce(sum(s.micro_dollars), 0)::bigint FROM service_spend AS s WHERE s.day = t.day),
        (SELECT coalesce(sum(s.free_micro_dollars), 0)::bigint FROM service_spend AS s WHERE s.day = t.day),
        (t.day + 1) * 86400000
    FROM (SELECT coalesce(p_now, store_now()) / 86400000 AS day) AS t;
END
$$;

-- Ends running calls whose lease is void at their estimate, and forgets the sums of days long past. Returns the number
-- of calls.
CREATE OR REPLACE FUNCTION close_abandoned_calls(p_now bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_ids text[];
BEGIN
    DELETE FROM user_spend WHERE day < v_now / 86400000 - 7;
    DELETE FROM service_spend WHERE day < v_now / 86400000 - 7;
    v_ids := ARRAY(
        SELECT m.id
        FROM model_call AS m
        WHERE m.state = 'running'
            AND NOT EXISTS (
                SELECT FROM job AS j WHERE j.id = m.job AND j.epoch = m.epoch AND j.status = 'processing')
        ORDER BY m.created_at
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    );
    UPDATE model_call SET state = 'cut', ended_at = v_now WHERE id = ANY (v_ids);
    RETURN cardinality(v_ids);
END
$$;

-- Names the users whose days the calls of new jobs count for. Jobs that were not stored are passed over.
CREATE OR REPLACE FUNCTION set_billed_users(p_ids uuid[], p_billed_users bigint[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
UPDATE job AS j
SET billed_user = a.billed_user
FROM unnest(p_ids, p_billed_users) AS a (id, billed_user)
WHERE j.id = a.id AND j.billed_user IS NULL
$$;
