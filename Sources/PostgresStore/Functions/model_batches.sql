-- Sets the time within which the results of new jobs are asked for. Jobs that were not stored are passed over.
CREATE OR REPLACE FUNCTION set_withins(p_ids uuid[], p_withins bigint[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
UPDATE ONLY job AS j
SET within = a.within
FROM unnest(p_ids, p_withins) AS a (id, within)
WHERE j.id = a.id AND j.within IS NULL
$$;

-- Asks by batch under the lease of a run; see `BatchStore.ask`.
--
-- Outcomes: `lost` for a void lease, `answered`, `full_price`, `waiting`, or the name of the limit of spend that the
-- estimate would exceed.
CREATE OR REPLACE FUNCTION ask_by_batch(
    p_now bigint, p_job uuid, p_epoch bigint, p_line text, p_step text, p_hash text, p_provider text, p_model text,
    p_request text, p_hurried bigint, p_last_chance bigint, p_input_tokens bigint, p_output_tokens bigint,
    p_cost bigint, p_user_limit bigint, p_service_limit bigint, p_free_limit bigint, p_prompt text
) RETURNS TABLE (
    outcome text, answer text, user_micro_dollars bigint, service_micro_dollars bigint, free_micro_dollars bigint,
    day_end bigint
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_job job;
    v_line model_batch_line;
    v_try bigint;
    v_custom_id text;
    v_call text;
    v_commit text;
    v_booked record;
BEGIN
    PERFORM lock_permits_of(ARRAY(SELECT j.number FROM ONLY job AS j WHERE j.id = p_job));
    SELECT j.* INTO v_job
    FROM ONLY job AS j
    WHERE j.id = p_job AND j.epoch = p_epoch AND j.status = 'processing'
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'lost', NULL::text, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    SELECT l.* INTO v_line FROM model_batch_line AS l WHERE l.id = p_line FOR UPDATE;
    IF v_line.state = 'answered' THEN
        RETURN QUERY SELECT 'answered', v_line.answer, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    IF v_line.state = 'failed' OR v_now >= p_last_chance THEN
        RETURN QUERY SELECT 'full_price', NULL::text, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    IF v_line.id IS NULL OR v_line.state = 'journalled' THEN
        v_try := coalesce(v_line.try, 0) + 1;
        -- As `BatchLineKey.customID` makes it.
        v_custom_id := 'd-' || left(encode(sha256(convert_to(
            concat_ws(E'\n', p_job::text, p_step, p_hash, v_try::text), 'UTF8')), 'hex'), 40);
        v_call := p_job::text || '/batch/' || v_custom_id;
        v_commit := current_setting('synchronous_commit');
        SELECT * INTO v_booked
        FROM begin_model_calls(
            v_now, ARRAY[p_job], ARRAY[p_epoch], ARRAY[v_call], ARRAY[p_provider], ARRAY[p_model],
            ARRAY[p_input_tokens], ARRAY[p_output_tokens], ARRAY[p_cost], ARRAY[p_user_limit],
            ARRAY[p_service_limit], ARRAY[p_free_limit], ARRAY[NULL::bigint], ARRAY[NULL::bigint], ARRAY[0::bigint],
            ARRAY[0::bigint], ARRAY[0::bigint], ARRAY[p_prompt], ARRAY[NULL::text], ARRAY[NULL::bigint],
            ARRAY[NULL::bigint], ARRAY[0::bigint]);
        -- The booking alone need not survive a crash of the database; a line has to.
        PERFORM set_config('synchronous_commit', v_commit, true);
        IF v_booked.outcome <> 'booked' THEN
            RETURN QUERY SELECT v_booked.outcome, NULL::text, v_booked.user_micro_dollars,
                v_booked.service_micro_dollars, v_booked.free_micro_dollars, v_booked.day_end;
            RETURN;
        END IF;
        UPDATE model_call SET service_tier = 'batch' WHERE id = v_call;
        INSERT INTO model_batch_line (
            id, job, step, input_hash, provider, model, state, try, custom_id, hurried, last_chance, added_at, call,
            bytes, request
        )
        VALUES (
            p_line, p_job, p_step, p_hash, p_provider, p_model, 'open', v_try, v_custom_id, p_hurried = 1,
            p_last_chance, v_now, v_call, octet_length(p_request), p_request)
        ON CONFLICT (id) DO UPDATE
        SET provider = excluded.provider, model = excluded.model, state = 'open', try = excluded.try,
            custom_id = excluded.custom_id, hurried = excluded.hurried, last_chance = excluded.last_chance,
            added_at = excluded.added_at, call = excluded.call, bytes = excluded.bytes, request = excluded.request,
            batch = NULL, alone = false, answer = NULL;
    END IF;
    PERFORM release_job(v_job, p_last_chance - v_now, v_job.deaths, v_now);
    RETURN QUERY SELECT 'waiting', NULL::text, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
END
$$;

-- The oldest lines for a model that are in no batch, after lines have left whose job has ended or makes the call at the
-- full price. No provider has seen those.
CREATE OR REPLACE FUNCTION gathered_batch_lines(p_now bigint, p_provider text, p_model text, p_limit bigint)
RETURNS SETOF model_batch_line
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_lines text[];
    v_jobs uuid[];
    v_calls text[];
BEGIN
    SELECT array_agg(g.id), array_agg(g.job), array_agg(g.call) INTO v_lines, v_jobs, v_calls
    FROM (
        SELECT l.id, l.job, l.call
        FROM model_batch_line AS l
        WHERE l.provider = p_provider AND l.model = p_model AND l.state = 'open' AND l.batch IS NULL
            AND (
                l.last_chance <= v_now
                OR NOT EXISTS (SELECT FROM job AS j WHERE j.id = l.job AND j.completed_at IS NULL)
            )
        ORDER BY l.id
        FOR UPDATE OF l SKIP LOCKED
    ) AS g;
    IF v_lines IS NOT NULL THEN
        PERFORM settle_unmade_calls(v_now, v_jobs, v_calls, 'cancelled');
        DELETE FROM model_batch_line WHERE id = ANY (v_lines);
    END IF;
    RETURN QUERY
    SELECT l.*
    FROM model_batch_line AS l
    WHERE l.provider = p_provider AND l.model = p_model AND l.state = 'open' AND l.batch IS NULL
    ORDER BY l.alone DESC, l.added_at, l.id
    LIMIT p_limit;
END
$$;

-- Ends bookings of calls that no provider has billed.
CREATE OR REPLACE FUNCTION settle_unmade_calls(p_now bigint, p_jobs uuid[], p_calls text[], p_state text)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    v_zeros bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_calls)]);
    v_empty text[] := array_fill(''::text, ARRAY[cardinality(p_calls)]);
BEGIN
    PERFORM settle_model_calls(
        p_now, p_jobs, p_calls, v_empty, v_empty, array_fill(p_state, ARRAY[cardinality(p_calls)]),
        array_fill(2::bigint, ARRAY[cardinality(p_calls)]), v_zeros, v_zeros, v_zeros, v_zeros, v_zeros, v_zeros,
        v_zeros, NULL, array_fill(NULL::text, ARRAY[cardinality(p_calls)]));
END
$$;

-- Stores a batch with its lines. Returns 0, and stores nothing, when a line is in a batch already or has left.
CREATE OR REPLACE FUNCTION seal_batch(
    p_id text, p_provider text, p_model text, p_state text, p_due_at bigint, p_first_line_at bigint,
    p_sealed_at bigint, p_value text, p_custom_ids text[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_lines text[];
BEGIN
    IF EXISTS (SELECT FROM model_batch WHERE id = p_id) THEN
        -- The answer to the first try was lost.
        RETURN 1;
    END IF;
    v_lines := ARRAY(
        SELECT l.id
        FROM unnest(p_custom_ids) AS a (custom_id)
        CROSS JOIN LATERAL (SELECT * FROM model_batch_line WHERE custom_id = a.custom_id OFFSET 0) AS l
        WHERE l.state = 'open' AND l.batch IS NULL
        ORDER BY l.id
    );
    PERFORM FROM model_batch_line WHERE id = ANY (v_lines) AND batch IS NULL AND state = 'open'
    ORDER BY id
    FOR UPDATE;
    IF (SELECT count(*) FROM model_batch_line WHERE id = ANY (v_lines) AND batch IS NULL AND state = 'open')
        < cardinality(p_custom_ids)
    THEN
        RETURN 0;
    END IF;
    INSERT INTO model_batch (id, provider, model, state, due_at, first_line_at, sealed_at, value)
    VALUES (p_id, p_provider, p_model, p_state, p_due_at, p_first_line_at, p_sealed_at, p_value);
    UPDATE model_batch_line SET batch = p_id WHERE id = ANY (v_lines);
    RETURN 1;
END
$$;

-- Takes the batch of one of the providers that has been due longest, by a lease of a number of milliseconds.
CREATE OR REPLACE FUNCTION take_batch(p_now bigint, p_providers text[], p_time bigint) RETURNS SETOF model_batch
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    RETURN QUERY
    UPDATE model_batch AS b
    SET fence = b.fence + 1, leased_until = v_now + p_time
    WHERE b.id = (
        SELECT d.id
        FROM model_batch AS d
        WHERE d.due_at <= v_now AND d.leased_until <= v_now AND d.provider = ANY (p_providers)
        ORDER BY d.due_at
        LIMIT 1
        FOR UPDATE SKIP LOCKED
    )
    RETURNING b.*;
END
$$;

-- Stores a change of a batch under its lease. Returns 0 when another lease is in force.
CREATE OR REPLACE FUNCTION change_batch(
    p_now bigint, p_id text, p_fence bigint, p_state text, p_due_at bigint, p_provider_id text,
    p_collected_at bigint, p_time bigint, p_value text
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_count bigint;
BEGIN
    UPDATE model_batch
    SET state = p_state, due_at = p_due_at, provider_id = p_provider_id, collected_at = p_collected_at,
        leased_until = v_now + p_time, value = p_value
    WHERE id = p_id AND fence = p_fence;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END
$$;

-- Stores the outcomes of lines with their bookings, and wakes their jobs. Returns 0 when another lease is in force.
--
-- Outcomes: `answered`, `again` with the id of the next try, `failed`. Lines that have an outcome already, or are in
-- another batch, are passed over.
CREATE OR REPLACE FUNCTION settle_batch_lines(
    p_now bigint, p_batch text, p_fence bigint, p_custom_ids text[], p_outcomes text[], p_answers text[],
    p_next_ids text[], p_alone bigint[], p_states text[], p_certainties bigint[], p_input_tokens bigint[],
    p_output_tokens bigint[], p_cache_read_tokens bigint[], p_cache_write_tokens bigint[], p_costs bigint[],
    p_cache_write_1h_tokens bigint[], p_details text[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_line record;
    v_jobs uuid[] := '{}';
    v_chances bigint[] := '{}';
    v_numbers bigint[];
    v_job job;
BEGIN
    PERFORM FROM model_batch WHERE id = p_batch AND fence = p_fence FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    -- Jobs first, as everywhere.
    v_numbers := ARRAY(
        SELECT j.number
        FROM unnest(p_custom_ids) AS a (custom_id)
        CROSS JOIN LATERAL (SELECT * FROM model_batch_line WHERE custom_id = a.custom_id OFFSET 0) AS l
        CROSS JOIN LATERAL (SELECT * FROM ONLY job WHERE id = l.job OFFSET 0) AS j
        WHERE l.state = 'open' AND l.batch = p_batch
    );
    PERFORM lock_permits_of(v_numbers);
    PERFORM lock_queue_rows_of(v_numbers);
    PERFORM FROM ONLY job WHERE number = ANY (v_numbers) ORDER BY id FOR UPDATE;
    FOR v_line IN
        SELECT l.id, l.job, l.call, l.provider, l.model, l.last_chance, l.try, a.place
        FROM unnest(p_custom_ids) WITH ORDINALITY AS a (custom_id, place)
        CROSS JOIN LATERAL (SELECT * FROM model_batch_line WHERE custom_id = a.custom_id OFFSET 0) AS l
        WHERE l.state = 'open' AND l.batch = p_batch
        ORDER BY l.id
    LOOP
        IF p_outcomes[v_line.place] = 'again' THEN
            UPDATE model_batch_line
            SET batch = NULL, try = v_line.try + 1, custom_id = p_next_ids[v_line.place],
                alone = p_alone[v_line.place] = 1, added_at = v_now
            WHERE id = v_line.id;
            CONTINUE;
        END IF;
        IF p_outcomes[v_line.place] = 'answered' THEN
            PERFORM settle_model_calls(
                v_now, ARRAY[v_line.job], ARRAY[v_line.call], ARRAY[v_line.provider], ARRAY[v_line.model],
                p_states[v_line.place:v_line.place], p_certainties[v_line.place:v_line.place],
                p_input_tokens[v_line.place:v_line.place], p_output_tokens[v_line.place:v_line.place],
                p_cache_read_tokens[v_line.place:v_line.place], p_cache_write_tokens[v_line.place:v_line.place],
                p_costs[v_line.place:v_line.place], ARRAY[0::bigint],
                p_cache_write_1h_tokens[v_line.place:v_line.place], p_details[v_line.place:v_line.place],
                ARRAY[NULL::text]);
        ELSE
            PERFORM settle_unmade_calls(v_now, ARRAY[v_line.job], ARRAY[v_line.call], 'failed');
        END IF;
        UPDATE model_batch_line
        SET state = p_outcomes[v_line.place], answer = p_answers[v_line.place], request = ''
        WHERE id = v_line.id;
        v_jobs := v_jobs || v_line.job;
        v_chances := v_chances || v_line.last_chance;
    END LOOP;
    -- In the order of users, in which all transactions lock positions.
    FOR v_job IN
        SELECT j.*
        FROM unnest(v_jobs, v_chances) AS a (id, last_chance)
        CROSS JOIN LATERAL (SELECT * FROM ONLY job WHERE id = a.id OFFSET 0) AS j
        WHERE j.status = 'pending' AND NOT j.blocked AND j.run_at = a.last_chance
        ORDER BY j.user_id, j.queue, j.number
    LOOP
        PERFORM dequeue_job(v_job);
        UPDATE ONLY job
        SET run_at = NULL, revision = revision + 1, history = add_place(history, v_now, 'ready')
        WHERE number = v_job.number
        RETURNING * INTO v_job;
        PERFORM enqueue_job(v_job, NULL, v_now);
    END LOOP;
    RETURN 1;
END
$$;

-- Notes that the answers of lines are journalled, by the steps of the same transaction.
CREATE OR REPLACE FUNCTION journal_batch_lines(p_jobs uuid[], p_epochs bigint[], p_lines text[]) RETURNS void
LANGUAGE sql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
UPDATE model_batch_line AS l
SET state = 'journalled', answer = NULL
FROM unnest(p_jobs, p_epochs, p_lines) AS a (job, epoch, line)
WHERE l.id = a.line AND l.state = 'answered'
    AND EXISTS (SELECT FROM ONLY job AS j WHERE j.id = a.job AND j.epoch = a.epoch AND j.status = 'processing')
$$;

-- Deletes lines with an outcome that began to wait before a time, and batches that were collected before it. Returns
-- the number of both.
CREATE OR REPLACE FUNCTION forget_batches(p_before bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    v_lines bigint;
    v_batches bigint;
BEGIN
    DELETE FROM model_batch_line
    WHERE id = ANY (ARRAY(
        SELECT l.id
        FROM model_batch_line AS l
        WHERE l.added_at < p_before AND l.state <> 'open'
        ORDER BY l.added_at
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS v_lines = ROW_COUNT;
    DELETE FROM model_batch
    WHERE id = ANY (ARRAY(
        SELECT b.id
        FROM model_batch AS b
        WHERE b.collected_at < p_before
            AND NOT EXISTS (SELECT FROM model_batch_line AS l WHERE l.batch = b.id)
        ORDER BY b.collected_at
        LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS v_batches = ROW_COUNT;
    RETURN v_lines + v_batches;
END
$$;
