-- Appends steps to journals, and returns the sequence of each, or NULL when the lease is lost. A journal that would have
-- more steps than `p_limit` is an error of class 22 (`22L01`).
--
-- An identical step that exists already is returned as it is: its first acknowledgement was lost. A step with another
-- input invalidates the journal from its place on.
CREATE OR REPLACE FUNCTION append_steps(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_names text[], p_occurrences bigint[], p_hashes text[],
    p_outputs text[], p_packed bytea[], p_limit bigint, p_replacing bigint[], p_took bigint[]
) RETURNS TABLE (place bigint, sequence bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_places bigint[];
    v_jobs bigint[];
    v_sequences bigint[];
    v_inserted bigint;
    v_had_deaths boolean;
    v_step record;
    v_present record;
BEGIN
    SELECT array_agg(f.place), array_agg(f.number), array_agg(nextval('step_sequence')), bool_or(f.deaths > 0)
    INTO v_places, v_jobs, v_sequences, v_had_deaths
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
    IF v_had_deaths THEN
        UPDATE job SET deaths = 0 WHERE number = ANY (v_jobs) AND deaths > 0;
    END IF;
    DELETE FROM step AS s
    USING unnest(v_jobs, v_places) AS a (job, place)
    WHERE s.job = a.job AND p_replacing[a.place] IS NOT NULL AND s.sequence >= p_replacing[a.place];
    INSERT INTO step (
        job, sequence, name, occurrence, input_hash, output, packed, epoch, started_at, ended_at
    )
    SELECT a.job, a.sequence, p_names[a.place], p_occurrences[a.place], p_hashes[a.place], p_outputs[a.place],
        p_packed[a.place], p_epochs[a.place], v_now - p_took[a.place], v_now
    FROM unnest(v_jobs, v_places, v_sequences) AS a (job, place, sequence)
    WHERE (SELECT count(*) FROM step AS s WHERE s.job = a.job) < p_limit
    ON CONFLICT (job, name, occurrence) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;
    IF v_inserted < cardinality(v_jobs) THEN
        IF EXISTS (
            SELECT
            FROM unnest(v_jobs, v_places) AS a (job, place)
            WHERE NOT EXISTS (
                SELECT
                FROM step AS s
                WHERE s.job = a.job AND s.name = p_names[a.place] AND s.occurrence = p_occurrences[a.place]
            )
        ) THEN
            RAISE EXCEPTION 'a journal is full' USING ERRCODE = '22L01';
        END IF;
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
            INSERT INTO step (
                job, sequence, name, occurrence, input_hash, output, packed, epoch, started_at, ended_at
            )
            VALUES (
                v_step.job, v_sequences[v_step.index], p_names[v_step.place], p_occurrences[v_step.place],
                p_hashes[v_step.place], p_outputs[v_step.place], p_packed[v_step.place], p_epochs[v_step.place],
                v_now - p_took[v_step.place], v_now);
        END LOOP;
    END IF;
    RETURN QUERY
    SELECT a.place, a.sequence FROM unnest(v_places, v_sequences) AS a (place, sequence);
END
$$;
