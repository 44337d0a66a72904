-- Books model calls before their requests leave, if the limits of the day permit their estimates.
--
-- `outcome` is `booked`, `lost` for a void lease, `hedge` for a hedge that its budget does not hold, or the name of the
-- limit that the call would exceed. The sums are
-- those after it. Of calls of one batch, those of a user wait for each other, and for calls of the user in other
-- transactions; calls of other users pass the service's limits at most together by the calls that are booked at the
-- same moment.
CREATE OR REPLACE FUNCTION begin_model_calls(
    p_now bigint, p_jobs uuid[], p_epochs bigint[], p_ids text[], p_providers text[], p_models text[],
    p_input_tokens bigint[], p_output_tokens bigint[], p_costs bigint[], p_user_limits bigint[],
    p_service_limits bigint[], p_free_limits bigint[], p_least_output_tokens bigint[], p_least_costs bigint[],
    p_cache_read_tokens bigint[], p_cache_write_tokens bigint[], p_cache_write_1h_tokens bigint[], p_prompts text[],
    p_hedge_of text[], p_hedge_calls bigint[], p_hedge_costs bigint[], p_simulated bigint[]
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
    -- Hedges of all processes are booked one after the other.
    IF EXISTS (SELECT FROM unnest(p_hedge_calls) AS a (calls) WHERE a.calls IS NOT NULL) THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('hedges', 0));
    END IF;
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
            WHEN NOT holds_hedge(
                v_now, v_call.cost, p_hedge_of[v_call.place], p_hedge_calls[v_call.place],
                p_hedge_costs[v_call.place]) THEN 'hedge'
            ELSE 'booked'
        END;
        IF v_outcome = 'booked' THEN
            INSERT INTO model_call (
                id, job, user_id, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
                cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at, least_output_tokens,
                least_cost_micro_dollars, cache_write_1h_tokens, prompt, hedge_of, simulated
            )
            VALUES (
                v_call.id, v_call.job, v_call.user_id, v_call.kind, v_call.epoch, v_call.free,
                p_providers[v_call.place], p_models[v_call.place], 'running', 0, p_input_tokens[v_call.place],
                p_output_tokens[v_call.place], p_cache_read_tokens[v_call.place], p_cache_write_tokens[v_call.place],
                v_call.cost, v_now, p_least_output_tokens[v_call.place], p_least_costs[v_call.place],
                p_cache_write_1h_tokens[v_call.place], p_prompts[v_call.place], p_hedge_of[v_call.place],
                p_simulated[v_call.place] = 1);
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

-- Whether the budget of hedges holds another one: true for a call that is none, and for the first in an hour. Of a hedge
-- that runs the dearer of both calls may lose.
CREATE OR REPLACE FUNCTION holds_hedge(
    p_now bigint, p_cost bigint, p_hedge_of text, p_most_calls bigint, p_most_cost bigint
) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_calls bigint;
    v_cost bigint;
BEGIN
    IF p_hedge_of IS NULL OR p_most_calls IS NULL THEN
        RETURN true;
    END IF;
    SELECT count(*), coalesce(sum(
        CASE
            WHEN h.state = 'running' THEN greatest(h.cost_micro_dollars, f.cost_micro_dollars)
            WHEN f.state = 'hedge_lost' THEN f.cost_micro_dollars
            WHEN h.state = 'ok' THEN 0
            ELSE h.cost_micro_dollars
        END), 0)
    INTO v_calls, v_cost
    FROM model_call AS h
    LEFT JOIN model_call AS f ON f.id = h.hedge_of
    WHERE h.hedge_of IS NOT NULL AND h.created_at > p_now - 3600000;
    RETURN v_calls = 0 OR (
        v_calls < p_most_calls AND p_most_cost >= v_cost + greatest(
            p_cost, (SELECT f.cost_micro_dollars FROM model_call AS f WHERE f.id = p_hedge_of)));
END
$$;

-- The calls of the last hour that have ended.
CREATE OR REPLACE FUNCTION calls_of_last_hour(p_now bigint) RETURNS TABLE (calls bigint, micro_dollars bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    RETURN QUERY
    SELECT count(*), coalesce(sum(m.cost_micro_dollars), 0)::bigint
    FROM model_call AS m
    WHERE m.created_at > v_now - 3600000 AND m.state <> 'running';
END
$$;

-- Books the ends of calls, whoever owns their jobs by now.
--
-- A row takes a better knowledge and keeps it, and a call that was closed for a dead process takes what that process
-- knew after all. A call that is not booked yet is booked now, while its job exists. `p_details` has the members of
-- `ModelCall.Details` as JSON.
CREATE OR REPLACE FUNCTION settle_model_calls(
    p_now bigint, p_jobs uuid[], p_ids text[], p_providers text[], p_models text[], p_states text[],
    p_certainties bigint[], p_input_tokens bigint[], p_output_tokens bigint[], p_cache_read_tokens bigint[],
    p_cache_write_tokens bigint[], p_costs bigint[], p_epochs bigint[], p_cache_write_1h_tokens bigint[],
    p_details text[], p_hedge_of text[]
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
BEGIN
    FOR v_call IN
        SELECT c.*, d.*
        FROM unnest(
            p_jobs, p_ids, p_providers, p_models, p_states, p_certainties, p_input_tokens, p_output_tokens,
            p_cache_read_tokens, p_cache_write_tokens, p_costs, p_epochs, p_cache_write_1h_tokens, p_details,
            p_hedge_of
        ) WITH ORDINALITY AS c (
            job, id, provider, model, state, certainty, input_tokens, output_tokens, cache_read_tokens,
            cache_write_tokens, cost, epoch, cache_write_1h_tokens, details, hedge_of, place)
        CROSS JOIN LATERAL json_to_record(coalesce(c.details, '{}')::json) AS d (
            prompt text, list_micro_dollars bigint, write_micro_dollars bigint, interactive boolean, waited_ms bigint,
            first_byte_ms bigint, first_content_ms bigint, longest_gap_ms bigint, cache_marks text,
            simulated boolean, error_code text, error_message text, provider_request_id text)
        ORDER BY c.id, c.place
    LOOP
        SELECT * INTO v_booked FROM model_call WHERE id = v_call.id FOR UPDATE;
        IF FOUND THEN
            CONTINUE WHEN NOT (
                v_booked.state = 'running' OR v_booked.certainty < v_call.certainty
                OR (v_booked.state = 'cut' AND v_booked.certainty = v_call.certainty));
            UPDATE model_call
            SET state = v_call.state::call_state, certainty = v_call.certainty, input_tokens = v_call.input_tokens,
                output_tokens = v_call.output_tokens, cache_read_tokens = v_call.cache_read_tokens,
                cache_write_tokens = v_call.cache_write_tokens, cost_micro_dollars = v_call.cost, ended_at = v_now,
                least_output_tokens = NULL, least_cost_micro_dollars = NULL,
                cache_write_1h_tokens = v_call.cache_write_1h_tokens, prompt = coalesce(v_call.prompt, prompt),
                list_micro_dollars = v_call.list_micro_dollars,
                write_micro_dollars = coalesce(v_call.write_micro_dollars, 0),
                interactive = coalesce(v_call.interactive, false), waited_ms = v_call.waited_ms,
                first_byte_ms = v_call.first_byte_ms, first_content_ms = v_call.first_content_ms,
                longest_gap_ms = v_call.longest_gap_ms, cache_marks = v_call.cache_marks,
                simulated = simulated OR coalesce(v_call.simulated, false), error_code = v_call.error_code,
                error_message = v_call.error_message, provider_request_id = v_call.provider_request_id
            WHERE id = v_call.id;
        ELSE
            INSERT INTO model_call (
                id, job, user_id, kind, epoch, free, provider, model, state, certainty, input_tokens, output_tokens,
                cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at, ended_at,
                cache_write_1h_tokens, prompt, list_micro_dollars, write_micro_dollars, interactive, waited_ms,
                first_byte_ms, first_content_ms, longest_gap_ms, cache_marks, hedge_of, simulated, error_code,
                error_message, provider_request_id
            )
            SELECT v_call.id, j.id, coalesce(j.billed_user, j.user_id), j.kind, v_call.epoch, coalesce(j.cost, 0) = 0, v_call.provider,
                v_call.model, v_call.state::call_state, v_call.certainty, v_call.input_tokens, v_call.output_tokens,
                v_call.cache_read_tokens, v_call.cache_write_tokens, v_call.cost, v_now, v_now,
                v_call.cache_write_1h_tokens, v_call.prompt, v_call.list_micro_dollars,
                coalesce(v_call.write_micro_dollars, 0), coalesce(v_call.interactive, false), v_call.waited_ms,
                v_call.first_byte_ms, v_call.first_content_ms, v_call.longest_gap_ms, v_call.cache_marks,
                v_call.hedge_of, coalesce(v_call.simulated, false), v_call.error_code, v_call.error_message,
                v_call.provider_request_id
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
    PERFORM change_spend(v_days, v_users, v_changes, v_free_changes);
END
$$;

-- Corrects running calls by what is known of them. Calls that have ended keep what they have.
--
-- A correction need not survive a crash of the database, since the end of the call or the next correction replaces it.
CREATE OR REPLACE FUNCTION correct_model_calls(
    p_ids text[], p_certainties bigint[], p_input_tokens bigint[], p_output_tokens bigint[],
    p_cache_read_tokens bigint[], p_cache_write_tokens bigint[], p_costs bigint[], p_cache_write_1h_tokens bigint[],
    p_now bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_days bigint[];
    v_users bigint[];
    v_changes bigint[];
    v_free_changes bigint[];
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    WITH latest AS MATERIALIZED (
        SELECT DISTINCT ON (c.id) c.*
        FROM unnest(
            p_ids, p_certainties, p_input_tokens, p_output_tokens, p_cache_read_tokens, p_cache_write_tokens,
            p_costs, p_cache_write_1h_tokens
        ) WITH ORDINALITY AS c (
            id, certainty, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost,
            cache_write_1h_tokens, place)
        ORDER BY c.id, c.place DESC
    ),
    booked AS MATERIALIZED (
        SELECT l.*, m.created_at / 86400000 AS day, m.user_id, m.free, l.cost - m.cost_micro_dollars AS change
        FROM latest AS l
        CROSS JOIN LATERAL (
            SELECT * FROM model_call AS m WHERE m.id = l.id AND m.state = 'running' OFFSET 0 FOR UPDATE
        ) AS m
        ORDER BY l.id
    ),
    corrected AS (
        UPDATE model_call AS m
        SET certainty = b.certainty, input_tokens = b.input_tokens, output_tokens = b.output_tokens,
            cache_read_tokens = b.cache_read_tokens, cache_write_tokens = b.cache_write_tokens,
            cost_micro_dollars = b.cost, cache_write_1h_tokens = b.cache_write_1h_tokens,
            heard_at = coalesce(p_now, store_now())
        FROM booked AS b
        WHERE m.id = b.id
    )
    SELECT array_agg(b.day), array_agg(b.user_id), array_agg(b.change),
        array_agg(CASE WHEN b.free THEN b.change ELSE 0 END)
    INTO v_days, v_users, v_changes, v_free_changes
    FROM booked AS b;
    PERFORM change_spend(v_days, v_users, v_changes, v_free_changes);
END
$$;

-- Adds to the sums of days and users.
CREATE OR REPLACE FUNCTION change_spend(
    p_days bigint[], p_users bigint[], p_changes bigint[], p_free_changes bigint[]
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_change record;
BEGIN
    INSERT INTO user_spend AS s (day, user_id, micro_dollars)
    SELECT c.day, c.user_id, sum(c.change)
    FROM unnest(p_days, p_users, p_changes) AS c (day, user_id, change)
    GROUP BY c.day, c.user_id
    HAVING sum(c.change) <> 0
    ORDER BY c.day, c.user_id
    ON CONFLICT (day, user_id) DO UPDATE SET micro_dollars = s.micro_dollars + excluded.micro_dollars;
    FOR v_change IN
        SELECT c.day, sum(c.change)::bigint AS change, sum(c.free)::bigint AS free
        FROM unnest(p_days, p_changes, p_free_changes) AS c (day, change, free)
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

-- Ends running calls whose lease is void, and forgets the sums of days long past. Returns the number of calls.
--
-- A call that was corrected while it ran ends at that. Nothing is known of the answer of another one: it ends at its
-- least use.
CREATE OR REPLACE FUNCTION close_abandoned_calls(p_now bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_count bigint;
    v_days bigint[];
    v_users bigint[];
    v_changes bigint[];
    v_free_changes bigint[];
BEGIN
    DELETE FROM user_spend WHERE day < v_now / 86400000 - 7;
    DELETE FROM service_spend WHERE day < v_now / 86400000 - 7;
    WITH abandoned AS MATERIALIZED (
        SELECT m.id, m.created_at / 86400000 AS day, m.user_id, m.free, m.cost_micro_dollars AS before,
            CASE WHEN m.certainty = 0 THEN m.least_output_tokens END AS output_tokens,
            CASE WHEN m.certainty = 0 THEN m.least_cost_micro_dollars END AS cost
        FROM model_call AS m
        -- A booking by batch ends with its line.
        WHERE m.state = 'running' AND m.service_tier = 'standard'
            AND NOT EXISTS (
                SELECT FROM job AS j WHERE j.id = m.job AND j.epoch = m.epoch AND j.status = 'processing')
        ORDER BY m.created_at
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ),
    closed AS (
        UPDATE model_call AS m
        SET state = 'cut', ended_at = v_now, output_tokens = coalesce(a.output_tokens, m.output_tokens),
            cost_micro_dollars = coalesce(a.cost, m.cost_micro_dollars), least_output_tokens = NULL,
            least_cost_micro_dollars = NULL
        FROM abandoned AS a
        WHERE m.id = a.id
    )
    SELECT count(*), array_agg(a.day), array_agg(a.user_id), array_agg(coalesce(a.cost, a.before) - a.before),
        array_agg(CASE WHEN a.free THEN coalesce(a.cost, a.before) - a.before ELSE 0 END)
    INTO v_count, v_days, v_users, v_changes, v_free_changes
    FROM abandoned AS a;
    PERFORM change_spend(v_days, v_users, v_changes, v_free_changes);
    RETURN v_count;
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
