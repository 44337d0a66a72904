-- What workers write while they run jobs. Each job comes once in a batch, in the order of ids, so that everybody locks
-- in that order.

-- Model calls that were paid for, each for the job at a place of the batch.
CREATE FUNCTION record_calls(
    p_now bigint, p_jobs uuid[], p_epochs bigint[], p_places bigint[], p_ids text[], p_providers text[],
    p_models text[], p_input_tokens bigint[], p_output_tokens bigint[], p_cache_read_tokens bigint[],
    p_cache_write_tokens bigint[], p_costs bigint[]
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    INSERT INTO model_call (
        id, job, user_id, kind, provider, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
        cost_micro_dollars, created_at
    )
    SELECT
        c.id, j.id, j.user_id, j.kind, c.provider, c.model, c.input_tokens, c.output_tokens, c.cache_read_tokens,
        c.cache_write_tokens, c.cost, p_now
    FROM unnest(
        p_places, p_ids, p_providers, p_models, p_input_tokens, p_output_tokens, p_cache_read_tokens,
        p_cache_write_tokens, p_costs
    ) AS c (
        place, id, provider, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost)
    CROSS JOIN LATERAL (SELECT * FROM job WHERE id = p_jobs[c.place] OFFSET 0) AS j
    WHERE j.epoch = p_epochs[c.place] AND j.status = 'processing'
    ORDER BY c.id
    ON CONFLICT (id) DO NOTHING;
END
$$;

-- Notes how far jobs have come; how many reports said something new.
CREATE FUNCTION report_progress(p_ids uuid[], p_epochs bigint[], p_progress bigint[], p_steps text[]) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_changed bigint;
BEGIN
    UPDATE job AS j
    SET progress = greatest(j.progress, a.progress), current_step = a.step, revision = j.revision + 1
    FROM unnest(p_ids, p_epochs, p_progress, p_steps) AS a (id, epoch, progress, step)
    WHERE j.id = a.id AND j.epoch = a.epoch AND j.status = 'processing'
        AND (j.progress < a.progress OR j.current_step IS DISTINCT FROM a.step);
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    RETURN v_changed;
END
$$;

-- Journals steps with their effects: the place in the journal of each, or NULL when its lease is lost.
--
-- The same step again is the one that is there, since its first acknowledgement was lost; a step of another input in
-- its place invalidates the journal from there on.
CREATE FUNCTION append_steps(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_names text[], p_occurrences bigint[], p_hashes text[],
    p_outputs text[], p_replacing bigint[], p_call_places bigint[], p_call_ids text[], p_call_providers text[],
    p_call_models text[], p_call_input bigint[], p_call_output bigint[], p_call_cache_read bigint[],
    p_call_cache_write bigint[], p_call_costs bigint[]
) RETURNS TABLE (place bigint, sequence bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_places bigint[];
    v_jobs bigint[];
    v_sequences bigint[];
    v_inserted bigint;
    v_mortal boolean;
    v_step record;
    v_present record;
BEGIN
    SELECT array_agg(f.place), array_agg(f.number), array_agg(nextval('step_sequence')), bool_or(f.deaths > 0)
    INTO v_places, v_jobs, v_sequences, v_mortal
    FROM (
        SELECT a.place, j.number, j.deaths
        FROM unnest(p_ids, p_epochs) WITH ORDINALITY AS a (id, epoch, place)
        JOIN job AS j ON j.id = a.id AND j.epoch = a.epoch AND j.status = 'processing'
        FOR UPDATE OF j
    ) AS f;
    IF v_places IS NULL THEN
        RETURN QUERY SELECT a.place::bigint, NULL::bigint FROM generate_subscripts(p_ids, 1) AS a (place);
        RETURN;
    END IF;
    IF v_mortal THEN
        UPDATE job SET deaths = 0 WHERE number = ANY (v_jobs) AND deaths > 0;
    END IF;
    IF cardinality(p_call_places) > 0 THEN
        PERFORM record_calls(
            v_now, p_ids, p_epochs, p_call_places, p_call_ids, p_call_providers, p_call_models, p_call_input,
            p_call_output, p_call_cache_read, p_call_cache_write, p_call_costs);
    END IF;
    DELETE FROM step AS s
    USING unnest(v_jobs, v_places) AS a (job, place)
    WHERE s.job = a.job AND p_replacing[a.place] IS NOT NULL AND s.sequence >= p_replacing[a.place];
    INSERT INTO step (job, sequence, name, occurrence, input_hash, output)
    SELECT a.job, a.sequence, p_names[a.place], p_occurrences[a.place], p_hashes[a.place], p_outputs[a.place]
    FROM unnest(v_jobs, v_places, v_sequences) AS a (job, place, sequence)
    ON CONFLICT (job, name, occurrence) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;
    IF v_inserted < cardinality(v_jobs) THEN
        FOR v_step IN
            SELECT u.index, a.job, a.place, s.sequence, s.input_hash
            FROM unnest(v_jobs, v_places, v_sequences) WITH ORDINALITY AS a (job, place, sequence, index)
            CROSS JOIN LATERAL (SELECT a.index) AS u
            JOIN step AS s ON s.job = a.job AND s.name = p_names[a.place] AND s.occurrence = p_occurrences[a.place]
            WHERE s.sequence <> a.sequence
        LOOP
            IF v_step.input_hash = p_hashes[v_step.place] THEN
                v_sequences[v_step.index] := v_step.sequence;
                CONTINUE;
            END IF;
            DELETE FROM step AS s WHERE s.job = v_step.job AND s.sequence >= v_step.sequence;
            INSERT INTO step (job, sequence, name, occurrence, input_hash, output)
            VALUES (
                v_step.job, v_sequences[v_step.index], p_names[v_step.place], p_occurrences[v_step.place],
                p_hashes[v_step.place], p_outputs[v_step.place]);
        END LOOP;
    END IF;
    RETURN QUERY
    SELECT a.place, a.sequence FROM unnest(v_places, v_sequences) AS a (place, sequence);
END
$$;

-- Stores results, settles holds and applies effects: `done` for each job that is completed by this epoch, now or
-- before, else `lost`.
CREATE FUNCTION complete_jobs(
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
    v_numbers bigint[];
    v_job job;
BEGIN
    IF EXISTS (SELECT FROM serial_line) OR EXISTS (SELECT FROM kind_limit) THEN
        v_numbers := ARRAY(
            SELECT j.number
            FROM unnest(p_ids) AS a (id)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j
        );
        PERFORM lock_lines_of(v_numbers);
        PERFORM lock_slots_of(v_numbers);
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
    ), left_joiners AS (
        DELETE FROM joinable AS k
        USING done AS d
        WHERE k.user_id = d.user_id AND k.unique_key = d.unique_key AND k.job = d.number
    ), settled AS (
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        SELECT d.user_id, 'settle', d.cost, d.id, d.hold, v_now FROM done AS d WHERE d.cost > 0
    ), charged AS (
        UPDATE balance AS b
        SET held = b.held - s.amount, used = b.used + s.amount
        FROM (
            SELECT d.user_id, sum(d.cost)::bigint AS amount FROM done AS d WHERE d.cost > 0 GROUP BY 1 ORDER BY 1
        ) AS s
        WHERE b.user_id = s.user_id
    )
    SELECT
        array_agg(d.place), array_agg(d.number) FILTER (WHERE d.concurrency_key IS NOT NULL),
        array_agg(d.number) FILTER (WHERE d.limited)
    INTO v_places, v_in_line, v_limited
    FROM done AS d;
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
