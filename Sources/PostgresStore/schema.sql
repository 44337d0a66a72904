
CREATE TYPE public.focus_profile AS ENUM (
    'focused',
    'balanced',
    'broad'
);

CREATE TYPE public.job_status AS ENUM (
    'pending',
    'processing',
    'completed',
    'failed',
    'cancelled'
);

CREATE TYPE public.queue AS ENUM (
    'interactive',
    'background'
);

CREATE TYPE public.ledger_kind AS ENUM (
    'grant',
    'hold',
    'settle',
    'release'
);

CREATE FUNCTION public.account_for(p_now bigint, p_subject text, p_printed bigint) RETURNS TABLE(id bigint, created_at bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    -- One after the other, so that numbers have no gaps and two who see a subject first do not meet.
    PERFORM pg_advisory_xact_lock(hashtextextended('account', 0));
    RETURN QUERY SELECT a.id, a.created_at FROM account AS a WHERE a.subject = p_subject;
    IF NOT FOUND THEN
        RETURN QUERY
        INSERT INTO account AS a (id, subject, created_at)
        VALUES (coalesce(p_printed, nextval('account_number')), p_subject, v_now)
        RETURNING a.id, a.created_at;
    END IF;
END
$$;

CREATE FUNCTION public.add_to_share(p_kind text, p_user bigint, p_taken bigint, p_waiting bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    INSERT INTO user_concurrency AS s (kind, user_id, taken, waiting)
    VALUES (p_kind, p_user, greatest(p_taken, 0), greatest(p_waiting, 0))
    ON CONFLICT (kind, user_id) DO UPDATE SET taken = s.taken + p_taken, waiting = s.waiting + p_waiting;
    UPDATE kind_limit SET taken = taken + p_taken WHERE kind = p_kind AND fleet IS NOT NULL AND p_taken <> 0;
END
$$;

CREATE FUNCTION public.adopt_bundle(p_now bigint, p_hash text, p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[]) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.append_steps(p_now bigint, p_ids uuid[], p_epochs bigint[], p_names text[], p_occurrences bigint[], p_hashes text[], p_outputs text[], p_replacing bigint[], p_call_places bigint[], p_call_ids text[], p_call_providers text[], p_call_models text[], p_call_input bigint[], p_call_output bigint[], p_call_cache_read bigint[], p_call_cache_write bigint[], p_call_costs bigint[]) RETURNS TABLE(place bigint, sequence bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.apply_records(p_now bigint, p_ids uuid[], p_epochs bigint[], p_places bigint[], p_nouns text[], p_keys text[], p_bodies text[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $_$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_record record;
BEGIN
    FOR v_record IN
        SELECT r.noun, r.body, j.id AS job, j.user_id
        FROM unnest(p_places, p_nouns, p_keys, p_bodies) WITH ORDINALITY AS r (place, noun, key, body, turn)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE id = p_ids[r.place] OFFSET 0) AS j
        WHERE j.epoch = p_epochs[r.place]
            AND (
                j.status = 'processing'
                OR EXISTS (
                    SELECT FROM job AS own WHERE own.id = j.id AND own.xmin = pg_current_xact_id()::xid
                )
            )
        ORDER BY r.noun, r.key, r.turn
    LOOP
        EXECUTE format('SELECT %I($1, $2, $3, $4)', 'record_' || v_record.noun)
        USING v_record.body::jsonb, v_record.job, v_record.user_id, v_now;
    END LOOP;
END
$_$;

CREATE TABLE public.balance (
    user_id bigint NOT NULL,
    granted bigint NOT NULL,
    held bigint NOT NULL,
    used bigint NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    era bigint DEFAULT 0 NOT NULL,
    CONSTRAINT balance_check CHECK ((((granted - held) - used) >= 0)),
    CONSTRAINT balance_held_check CHECK ((held >= 0)),
    CONSTRAINT balance_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE FUNCTION public.balance_of(p_user bigint) RETURNS public.balance
    LANGUAGE sql
    AS $$ SELECT b FROM balance AS b WHERE b.user_id = p_user ORDER BY b.era DESC LIMIT 1 $$;

CREATE FUNCTION public.begin_balances(p_users bigint[], p_granted bigint[], p_now bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO account_owner (user_id) SELECT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1;
    INSERT INTO ledger (user_id, kind, amount, note, created_at)
    SELECT a.user_id, 'grant', a.granted, 'starting credits', p_now
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
    INSERT INTO balance (user_id, granted, held, used)
    SELECT a.user_id, a.granted, 0, 0
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
END
$$;

CREATE FUNCTION public.cancel_jobs(p_now bigint, p_ids uuid[], p_users bigint[]) RETURNS TABLE(place bigint, is_there boolean, has_ended boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_place bigint;
    v_job job;
BEGIN
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_places_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
        SELECT * INTO v_job FROM job WHERE id = p_ids[v_place];
        IF v_job.number IS NULL OR v_job.user_id <> p_users[v_place] THEN
            RETURN QUERY SELECT v_place, false, false;
        ELSIF v_job.completed_at IS NOT NULL THEN
            RETURN QUERY SELECT v_place, true, false;
        ELSE
            PERFORM end_job(v_job, 'cancelled', NULL, NULL, NULL, NULL, NULL, v_now);
            RETURN QUERY SELECT v_place, true, true;
        END IF;
    END LOOP;
END
$$;

CREATE FUNCTION public.change_balances(p_users bigint[], p_held bigint[], p_used bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_asked bigint;
    v_changed bigint;
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT a.user_id, coalesce(sum(a.held), 0)::bigint AS held, coalesce(sum(a.used), 0)::bigint AS used
        FROM unnest(p_users, p_held, p_used) AS a (user_id, held, used)
        GROUP BY 1
        ORDER BY 1
    ), changed AS (
        UPDATE balance AS b
        SET held = b.held + l.held, used = b.used + l.used, changes = b.changes + 1, era = (b.changes + 1) / 16
        FROM (
            SELECT a.*, n.era
            FROM asked AS a
            CROSS JOIN LATERAL (
                SELECT n.era FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.era DESC LIMIT 1
            ) AS n
        ) AS l
        WHERE b.user_id = l.user_id AND b.era = l.era
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM changed) INTO v_asked, v_changed;
    IF v_changed < v_asked THEN
        RAISE EXCEPTION 'a balance has moved on' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

CREATE FUNCTION public.change_preferences(timestamp bigint, changing bigint, profile text, tickers text[], labels text[], noted text[]) RETURNS TABLE(user_id bigint, focus_profile text, updated_at bigint, ticker text, label text, notes text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    happened CONSTANT bigint := coalesce(timestamp, store_now());
BEGIN
    INSERT INTO preferences (user_id, focus_profile, updated_at)
    VALUES (changing, coalesce(profile, 'balanced')::focus_profile, happened)
    ON CONFLICT (user_id) DO UPDATE SET
        focus_profile = coalesce(profile::focus_profile, preferences.focus_profile), updated_at = happened;
    IF tickers IS NOT NULL THEN
        DELETE FROM holding WHERE user_id = changing;
        INSERT INTO holding (user_id, ticker, place, label, notes)
        SELECT changing, given.ticker, given.place, given.label, given.notes
        FROM unnest(tickers, labels, noted) WITH ORDINALITY AS given (ticker, label, notes, place);
    END IF;
    RETURN QUERY
    SELECT p.user_id, p.focus_profile::text, p.updated_at, h.ticker::text, h.label, h.notes
    FROM preferences AS p LEFT JOIN holding AS h ON h.user_id = p.user_id
    WHERE p.user_id = changing
    ORDER BY h.place;
END
$$;

CREATE FUNCTION public.claim_jobs(p_now bigint, p_worker text, p_claim bigint, p_lost bigint[], p_interactive bigint, p_background bigint, p_from_interactive bigint, p_from_background bigint) RETURNS TABLE(is_known boolean, next_due bigint, reached_interactive bigint, reached_background bigint, made_ready boolean, id uuid, epoch bigint, user_id bigint, kind text, input text, bundle text, queue text, attempt bigint, max_attempts bigint, progress smallint, created_at bigint, deadline bigint, request_id text)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_worker bigint;
    v_earlier bigint[];
    v_interactive bigint[];
    v_background bigint[];
    v_reached bigint;
BEGIN
    -- Whoever declares the worker dead waits for this claim, and then finds what it took.
    SELECT w.number INTO v_worker FROM worker AS w WHERE w.id = p_worker FOR KEY SHARE;
    is_known := FOUND;
    made_ready := false;
    IF NOT FOUND THEN
        reached_interactive := 0;
        reached_background := 0;
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT i.last_value, b.last_value, (SELECT min(s.run_at) FROM schedule AS s)
    INTO reached_interactive, reached_background, next_due
    FROM queue_time_interactive AS i, queue_time_background AS b;
    IF next_due <= v_now THEN
        made_ready := make_due(v_now);
        SELECT min(s.run_at) INTO next_due FROM schedule AS s;
    END IF;
    IF cardinality(p_lost) > 0 THEN
        SELECT array_agg(l.job ORDER BY l.job) INTO v_earlier
        FROM lease AS l
        WHERE l.worker = v_worker AND l.claim = ANY (p_lost);
    END IF;
    IF p_interactive > 0 THEN
        SELECT t.jobs, t.reached INTO v_interactive, v_reached
        FROM take_ready('interactive', p_interactive, p_from_interactive) AS t;
        IF v_reached > reached_interactive THEN
            reached_interactive := setval('queue_time_interactive', v_reached);
        END IF;
    END IF;
    IF p_background > 0 THEN
        SELECT t.jobs, t.reached INTO v_background, v_reached
        FROM take_ready('background', p_background, p_from_background) AS t;
        IF v_reached > reached_background THEN
            reached_background := setval('queue_time_background', v_reached);
        END IF;
    END IF;
    RETURN NEXT;
    IF v_earlier IS NOT NULL THEN
        RETURN QUERY SELECT NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, j.id, j.epoch,
            j.user_id, j.kind, j.input, j.bundle, j.queue::text, j.attempt, j.max_attempts, j.progress, j.created_at,
            j.deadline, j.request_id
        FROM unnest(v_earlier) AS a (number)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.number OFFSET 0) AS j
        WHERE j.status = 'processing' AND j.worker = v_worker;
    END IF;
    IF v_interactive IS NULL AND v_background IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH claimed AS (
        UPDATE job AS j
        SET status = 'processing',
            worker = v_worker,
            epoch = j.epoch + 1,
            attempt = CASE WHEN j.interrupted THEN j.attempt ELSE j.attempt + 1 END,
            progress = CASE WHEN j.interrupted THEN j.progress ELSE 0 END,
            current_step = CASE WHEN j.interrupted THEN j.current_step END,
            interrupted = false,
            error_code = NULL,
            error_message = NULL,
            error_user_message = NULL,
            started_at = coalesce(j.started_at, v_now),
            revision = j.revision + 1
        FROM unnest(v_interactive || v_background) WITH ORDINALITY AS a (number, place)
        WHERE j.number = a.number AND j.status = 'pending'
        RETURNING
            a.place, j.number, j.id, j.epoch, j.user_id, j.kind, j.input, j.bundle, j.queue::text AS queue, j.attempt,
            j.max_attempts, j.progress, j.created_at, j.deadline, j.request_id
    ), leased AS (
        INSERT INTO lease (worker, job, claim, deadline)
        SELECT v_worker, c.number, p_claim, c.deadline FROM claimed AS c
    )
    SELECT NULL::boolean, NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, c.id, c.epoch, c.user_id, c.kind,
        c.input, c.bundle, c.queue, c.attempt, c.max_attempts, c.progress, c.created_at, c.deadline, c.request_id
    FROM claimed AS c
    ORDER BY c.place;
END
$$;

CREATE FUNCTION public.complete_jobs(p_now bigint, p_ids uuid[], p_epochs bigint[], p_results text[], p_call_places bigint[], p_call_ids text[], p_call_providers text[], p_call_models text[], p_call_input bigint[], p_call_output bigint[], p_call_cache_read bigint[], p_call_cache_write bigint[], p_call_costs bigint[]) RETURNS TABLE(place bigint, is_done boolean, made_ready boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_places bigint[];
    v_in_line bigint[];
    v_limited bigint[];
    v_shared_jobs bigint[];
    v_numbers bigint[];
    v_joiners bigint[];
    v_unique_keys text[];
    v_account_owners bigint[];
    v_costs bigint[];
    v_paid uuid[];
    v_holds bigint[];
    v_job job;
BEGIN
    IF EXISTS (SELECT FROM serial_line) OR EXISTS (SELECT FROM kind_limit) OR EXISTS (SELECT FROM subscriber) THEN
        v_numbers := ARRAY(
            SELECT j.number
            FROM unnest(p_ids) AS a (id)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j
        );
        PERFORM lock_lines_of(v_numbers);
        PERFORM lock_slots_of(v_numbers);
        IF EXISTS (SELECT FROM subscriber AS f WHERE f.sharedJob = ANY (v_numbers)) THEN
            PERFORM lock_balances_of(lock_jobs(v_numbers));
        END IF;
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
    )
    SELECT
        array_agg(d.place), array_agg(d.number) FILTER (WHERE d.concurrency_key IS NOT NULL),
        array_agg(d.number) FILTER (WHERE d.limited), array_agg(d.number) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.unique_key) FILTER (WHERE d.unique_key IS NOT NULL),
        array_agg(d.user_id) FILTER (WHERE d.cost > 0), array_agg(d.cost) FILTER (WHERE d.cost > 0),
        array_agg(d.id) FILTER (WHERE d.cost > 0), array_agg(d.hold) FILTER (WHERE d.cost > 0)
    INTO v_places, v_in_line, v_limited, v_shared_jobs, v_joiners, v_unique_keys, v_account_owners, v_costs, v_paid, v_holds
    FROM done AS d;
    IF v_shared_jobs IS NOT NULL THEN
        DELETE FROM joinable AS k
        USING unnest(v_joiners, v_unique_keys, v_shared_jobs) AS d (user_id, unique_key, job)
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

CREATE FUNCTION public.current_user_id() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('dossier.user_id', true), '')::bigint $$;

CREATE FUNCTION public.delete_explanations(p_before bigint, p_limit bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_deleted bigint;
BEGIN
    DELETE FROM story_explanation
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM story_explanation WHERE created_at < p_before ORDER BY created_at LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS v_deleted = ROW_COUNT;
    DELETE FROM passage
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM passage WHERE kind = 'story' AND written_at < p_before FOR UPDATE SKIP LOCKED
    ));
    IF FOUND THEN
        PERFORM forget_passage_vectors();
    END IF;
    RETURN v_deleted;
END
$$;

CREATE FUNCTION public.delete_finished(p_now bigint, p_before bigint, p_key_window bigint, p_limit bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_end uuid := (lpad(to_hex(greatest(p_before, 0)), 12, '0') || '00000000000000000000')::uuid;
    v_count bigint;
BEGIN
    WITH gone AS (
        DELETE FROM job
        WHERE number = ANY (ARRAY(
            SELECT j.number
            FROM job AS j
            WHERE j.id < v_end AND j.completed_at < p_before
                AND (j.idempotency_key IS NULL OR j.created_at < v_now - p_key_window)
            ORDER BY j.id
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING number
    )
    SELECT count(*) INTO v_count FROM gone;
    RETURN v_count;
END
$$;

CREATE FUNCTION public.deregister_worker(p_now bigint, p_worker text) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_job job;
    v_count bigint := 0;
BEGIN
    DELETE FROM worker WHERE id = p_worker RETURNING number INTO v_number;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_slots_of(v_numbers);
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers)
            AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.id
        FOR UPDATE
    LOOP
        PERFORM give_back(v_job, 0, v_job.deaths, v_now);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

CREATE FUNCTION public.end_subscribers(p_shared_jobs bigint[], p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE TABLE public.job (
    number bigint NOT NULL,
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    cost bigint NOT NULL,
    max_attempts bigint NOT NULL,
    created_at bigint NOT NULL,
    time_limit bigint NOT NULL,
    deadline bigint NOT NULL,
    run_at bigint,
    started_at bigint,
    completed_at bigint,
    epoch bigint DEFAULT 0 NOT NULL,
    failed_epoch bigint,
    worker bigint,
    hold bigint,
    drop_steps_from bigint,
    revision bigint DEFAULT 1 NOT NULL,
    attempt bigint DEFAULT 0 NOT NULL,
    deaths integer DEFAULT 0 NOT NULL,
    status public.job_status DEFAULT 'pending'::public.job_status NOT NULL,
    queue public.queue NOT NULL,
    progress smallint DEFAULT 0 NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    limited boolean NOT NULL,
    waiting boolean DEFAULT false NOT NULL,
    interrupted boolean DEFAULT false NOT NULL,
    kind text NOT NULL,
    bundle text NOT NULL,
    input text NOT NULL,
    concurrency_key text,
    unique_key text,
    idempotency_key text,
    idempotency_fingerprint text,
    request_id text,
    current_step text,
    error_code text,
    error_message text,
    error_user_message text,
    result text,
    following bigint,
    shared_job_revision bigint,
    shared_owner bigint,
    shared_key text,
    sharedJob uuid,
    first_death bigint,
    CONSTRAINT job_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT job_check CHECK (((status = ANY (ARRAY['completed'::public.job_status, 'failed'::public.job_status, 'cancelled'::public.job_status])) = (completed_at IS NOT NULL))),
    CONSTRAINT job_check1 CHECK (((status <> 'processing'::public.job_status) OR (worker IS NOT NULL))),
    CONSTRAINT job_check2 CHECK (((status = 'pending'::public.job_status) OR ((NOT blocked) AND (run_at IS NULL)))),
    CONSTRAINT job_check3 CHECK (((NOT waiting) OR (limited AND (status = 'pending'::public.job_status) AND (NOT blocked) AND (run_at IS NULL)))),
    CONSTRAINT job_check4 CHECK (((status <> 'failed'::public.job_status) OR (error_code IS NOT NULL))),
    CONSTRAINT job_check5 CHECK (((status <> 'completed'::public.job_status) OR ((progress = 100) AND (error_code IS NULL) AND (result IS NOT NULL)))),
    CONSTRAINT job_check6 CHECK (((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))),
    CONSTRAINT job_check7 CHECK (((cost = 0) = (hold IS NULL))),
    CONSTRAINT job_check8 CHECK (((following IS NULL) OR ((status = 'pending'::public.job_status) AND (NOT blocked) AND (NOT waiting) AND (NOT limited) AND (run_at IS NULL)))),
    CONSTRAINT job_check9 CHECK (((shared_job_revision IS NULL) = (following IS NULL))),
    CONSTRAINT job_cost_check CHECK ((cost >= 0)),
    CONSTRAINT job_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT job_progress_check CHECK (((progress >= 0) AND (progress <= 100)))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.2', autovacuum_analyze_scale_factor='0.05', fillfactor='45');

CREATE FUNCTION public.end_job(p_job public.job, p_status public.job_status, p_failed_epoch bigint, p_drop_steps_from bigint, p_code text, p_message text, p_user_message text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    PERFORM withdraw_job(p_job);
    UPDATE job
    SET status = p_status, blocked = false, waiting = false, run_at = NULL, drop_steps_from = p_drop_steps_from,
        failed_epoch = coalesce(p_failed_epoch, failed_epoch),
        error_code = p_code, error_message = p_message, error_user_message = p_user_message, completed_at = p_now,
        revision = revision + 1
    WHERE number = p_job.number;
    IF p_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, hold, created_at)
        VALUES (p_job.user_id, 'release', p_job.cost, p_job.id, p_job.hold, p_now);
        PERFORM change_balances(ARRAY[p_job.user_id], ARRAY[-p_job.cost], NULL);
    END IF;
    IF p_job.unique_key IS NOT NULL THEN
        DELETE FROM joinable WHERE user_id = p_job.user_id AND unique_key = p_job.unique_key AND job = p_job.number;
        PERFORM end_subscribers(ARRAY[p_job.number], p_now);
    END IF;
    PERFORM pass_on_slot(p_job);
    IF p_job.concurrency_key IS NOT NULL THEN
        PERFORM pass_on(ARRAY[p_job.number], p_now);
    END IF;
END
$$;

CREATE FUNCTION public.enter_ready(p_job public.job, p_is_returning boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_rank bigint := queue_time(p_job.queue);
BEGIN
    IF NOT p_is_returning THEN
        PERFORM take_turns(ARRAY[p_job.user_id], ARRAY[p_job.queue], v_rank, v_rank);
        SELECT t.rank INTO v_rank
        FROM turn AS t
        WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
        ORDER BY t.era DESC
        LIMIT 1;
    END IF;
    INSERT INTO ready (queue, rank, job, user_id, priority, deadline, unordered)
    VALUES (p_job.queue, v_rank, p_job.number, p_job.user_id, p_job.priority, p_job.deadline, true);
END
$$;

CREATE FUNCTION public.exchange_budgets(p_names text[], p_versions bigint[], p_states text[]) RETURNS TABLE(name text, is_current boolean, version bigint, state text, timestamp bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.expire_jobs(p_now bigint, p_limit bigint, p_code text, p_message text, p_user_message text) RETURNS TABLE(id uuid)
    LANGUAGE sql
    AS $$
    SELECT e.id FROM expire_jobs(p_now, NULL::bigint, p_limit, p_code, p_message, p_user_message) AS e
$$;

CREATE FUNCTION public.expire_jobs(p_now bigint, p_window bigint, p_limit bigint, p_code text, p_message text, p_user_message text) RETURNS TABLE(id uuid)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_from bigint := coalesce(v_now - p_window, 0);
    v_numbers bigint[];
    v_subscribers bigint[];
    v_locked bigint[];
    v_job job;
BEGIN
    SELECT array_agg(l.job) INTO v_numbers
    FROM (
        SELECT c.job
        FROM (
            (
                SELECT r.job, r.deadline FROM ready AS r
                WHERE r.deadline BETWEEN v_from AND v_now
                ORDER BY r.deadline LIMIT p_limit
            )
            UNION ALL
            (
                SELECT l.job, l.deadline FROM lease AS l
                WHERE l.deadline BETWEEN v_from AND v_now
                ORDER BY l.deadline LIMIT p_limit
            )
            UNION ALL
            (
                SELECT s.job, s.deadline FROM schedule AS s
                WHERE s.deadline BETWEEN v_from AND v_now
                ORDER BY s.deadline LIMIT p_limit
            )
            UNION ALL
            (
                SELECT w.job, w.deadline FROM waiting AS w
                WHERE w.deadline BETWEEN v_from AND v_now
                ORDER BY w.deadline LIMIT p_limit
            )
            UNION ALL
            (
                SELECT b.job, b.deadline
                FROM serial_line AS b
                WHERE b.deadline BETWEEN v_from AND v_now AND NOT b.holds
                ORDER BY b.deadline
                LIMIT p_limit
            )
            UNION ALL
            (
                SELECT f.job, f.deadline FROM subscriber AS f
                WHERE f.deadline BETWEEN v_from AND v_now
                ORDER BY f.deadline LIMIT p_limit
            )
        ) AS c
        ORDER BY c.deadline
        LIMIT p_limit
    ) AS l;
    IF v_numbers IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_places_of(v_numbers);
    v_subscribers := ARRAY(
        SELECT j.number FROM job AS j WHERE j.number = ANY (v_numbers) AND j.following IS NOT NULL
    );
    v_locked := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.following IS NULL AND j.completed_at IS NULL AND (
            j.number = ANY (v_numbers)
            OR j.number = ANY (ARRAY(SELECT f.following FROM job AS f WHERE f.number = ANY (v_subscribers))))
        ORDER BY j.id
        FOR UPDATE SKIP LOCKED
    );
    -- A follower goes with its leader: whoever ends it has that one's lock.
    v_numbers := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.completed_at IS NULL AND j.deadline <= v_now
            AND coalesce(j.following, j.number) = ANY (v_locked)
    );
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_job IN SELECT j.* FROM job AS j WHERE j.number = ANY (v_numbers) ORDER BY j.deadline, j.number LOOP
        -- One that ended before it here may have let it through its line, or have ended it.
        SELECT * INTO v_job FROM job AS j WHERE j.number = v_job.number;
        IF v_job.completed_at IS NULL THEN
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
        END IF;
        RETURN QUERY SELECT v_job.id;
    END LOOP;
END
$$;

CREATE FUNCTION public.fail_jobs(p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[], p_drop_from bigint[], p_codes text[], p_messages text[], p_user_messages text[], p_call_places bigint[], p_call_ids text[], p_call_providers text[], p_call_models text[], p_call_input bigint[], p_call_output bigint[], p_call_cache_read bigint[], p_call_cache_write bigint[], p_call_costs bigint[]) RETURNS TABLE(place bigint, is_done boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_numbers bigint[] := ARRAY(SELECT number FROM job WHERE id = ANY (p_ids));
    v_job job;
    v_place bigint;
    v_run_at bigint;
BEGIN
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    IF cardinality(p_call_places) > 0 THEN
        PERFORM record_calls(
            v_now, p_ids, p_epochs, p_call_places, p_call_ids, p_call_providers, p_call_models, p_call_input,
            p_call_output, p_call_cache_read, p_call_cache_write, p_call_costs);
    END IF;
    FOR v_place IN SELECT generate_subscripts(p_ids, 1) LOOP
        SELECT * INTO v_job FROM job WHERE id = p_ids[v_place];
        IF v_job.failed_epoch = p_epochs[v_place] THEN
            RETURN QUERY SELECT v_place, true;
            CONTINUE;
        END IF;
        IF v_job.number IS NULL OR v_job.status <> 'processing' OR v_job.epoch <> p_epochs[v_place] THEN
            RETURN QUERY SELECT v_place, false;
            CONTINUE;
        END IF;
        IF p_pauses[v_place] IS NULL THEN
            PERFORM end_job(
                v_job, 'failed', v_job.epoch, p_drop_from[v_place], p_codes[v_place], p_messages[v_place],
                p_user_messages[v_place], v_now);
        ELSE
            DELETE FROM step
            WHERE job = v_job.number AND p_drop_from[v_place] IS NOT NULL AND sequence >= p_drop_from[v_place];
            v_run_at := CASE WHEN p_pauses[v_place] > 0 THEN v_now + p_pauses[v_place] END;
            PERFORM withdraw_job(v_job);
            UPDATE job
            SET status = 'pending', run_at = v_run_at, failed_epoch = epoch, error_code = p_codes[v_place],
                error_message = p_messages[v_place], error_user_message = p_user_messages[v_place],
                revision = revision + 1
            WHERE number = v_job.number;
            PERFORM place_job(v_job, v_run_at, true);
            PERFORM pass_on_slot(v_job);
        END IF;
        RETURN QUERY SELECT v_place, true;
    END LOOP;
END
$$;

CREATE FUNCTION public.find_shared_job(p_owner bigint, p_key text) RETURNS public.job
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.fire_tick(p_schedule text, p_timestamp bigint, p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[], p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[], p_repetition bigint) RETURNS TABLE(place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
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
    IF v_last >= p_timestamp
        AND NOT (p_repetition = 1 AND EXISTS (SELECT FROM job AS j WHERE j.id = p_ids[1]))
    THEN
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

CREATE FUNCTION public.join_shared_job(p_job public.job, p_shared_job public.job) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    UPDATE job SET following = p_shared_job.number, shared_job_revision = p_shared_job.revision, sharedJob = p_shared_job.id
    WHERE number = p_job.number;
    INSERT INTO subscriber (sharedJob, job, deadline) VALUES (p_shared_job.number, p_job.number, p_job.deadline);
END
$$;

CREATE FUNCTION public.forget_passage_vectors() RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM passage_vector
    WHERE ctid = ANY (ARRAY(
        SELECT v.ctid
        FROM passage_vector AS v
        WHERE NOT EXISTS (SELECT FROM passage AS p WHERE p.digest = v.digest)
        FOR UPDATE SKIP LOCKED
    ))
$$;

CREATE FUNCTION public.give_back(p_job public.job, p_pause bigint, p_deaths integer, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    v_run_at bigint := CASE WHEN p_pause > 0 THEN p_now + p_pause END;
BEGIN
    PERFORM withdraw_job(p_job);
    UPDATE job
    SET status = 'pending', run_at = v_run_at, interrupted = true, deaths = p_deaths, revision = revision + 1
    WHERE number = p_job.number;
    PERFORM place_job(p_job, v_run_at, true);
    PERFORM pass_on_slot(p_job);
END
$$;

CREATE FUNCTION public.grant_credits(p_now bigint, p_operation uuid, p_user bigint, p_amount bigint, p_note text, p_starting bigint) RETURNS TABLE(granted bigint, held bigint, used bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_balance balance;
BEGIN
    PERFORM lock_balances(ARRAY[p_user]);
    v_balance := balance_of(p_user);
    IF EXISTS (SELECT FROM ledger AS l WHERE l.operation = p_operation) THEN
        RETURN QUERY SELECT v_balance.granted, v_balance.held, v_balance.used;
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        v_balance.granted := p_starting;
        v_balance.held := 0;
        v_balance.used := 0;
    END IF;
    IF v_balance.granted::numeric - v_balance.held - v_balance.used + p_amount < 0
        OR v_balance.granted::numeric + p_amount > 9223372036854775807
    THEN
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        PERFORM begin_balances(ARRAY[p_user], ARRAY[p_starting], v_now);
        v_balance.era := 0;
    END IF;
    INSERT INTO ledger (user_id, kind, amount, note, operation, created_at)
    VALUES (p_user, 'grant', p_amount, p_note, p_operation, v_now);
    UPDATE balance AS b
    SET granted = b.granted + p_amount, changes = b.changes + 1, era = (b.changes + 1) / 16
    WHERE b.user_id = p_user AND b.era = v_balance.era;
    RETURN QUERY SELECT v_balance.granted + p_amount, v_balance.held, v_balance.used;
END
$$;

CREATE FUNCTION public.hand_back_jobs(p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[]) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_place bigint;
    v_job job;
    v_count bigint := 0;
BEGIN
    PERFORM lock_slots_of(ARRAY(SELECT number FROM job WHERE id = ANY (p_ids)));
    FOR v_place IN
        SELECT a.place FROM unnest(p_ids) WITH ORDINALITY AS a (id, place) ORDER BY a.id
    LOOP
        SELECT * INTO v_job FROM job
        WHERE id = p_ids[v_place] AND epoch = p_epochs[v_place] AND status = 'processing'
        FOR UPDATE;
        CONTINUE WHEN NOT FOUND;
        PERFORM give_back(v_job, p_pauses[v_place], v_job.deaths, v_now);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

CREATE FUNCTION public.holds_slot(p_job public.job) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN p_job.limited AND (
        p_job.status = 'processing'
        OR (p_job.status = 'pending' AND NOT p_job.blocked AND NOT p_job.waiting AND p_job.run_at IS NULL));
END
$$;

CREATE FUNCTION public.index_article() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO article_index (article, words)
    VALUES (
        NEW.number,
        setweight(to_tsvector('english', NEW.title), 'A') || to_tsvector('english', coalesce(NEW.description, '')));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.index_article_text() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE article_index SET words = words || to_tsvector('english', left(NEW.text, 100000))
    WHERE article = NEW.article;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.keep_first_limits(p_made text[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[], p_outcomes text[]) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM kind_limit AS k
    WHERE k.kind = ANY (p_made) AND NOT EXISTS (
        SELECT
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) AS a (kind, fleet, per_user, outcome)
        WHERE a.kind = k.kind AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
    );
    UPDATE kind_limit AS k SET fleet = f.fleet, per_user = f.per_user
    FROM (
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) WITH ORDINALITY
            AS a (kind, fleet, per_user, outcome, place)
        WHERE a.kind = ANY (p_made) AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
        ORDER BY a.kind, a.place
    ) AS f
    WHERE k.kind = f.kind;
$$;

CREATE FUNCTION public.queue_time(p_queue public.queue) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_queue = 'interactive' THEN
        RETURN (SELECT s.last_value FROM queue_time_interactive AS s);
    END IF;
    RETURN (SELECT s.last_value FROM queue_time_background AS s);
END
$$;

CREATE FUNCTION public.take_position(p_kind text, p_user bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.lock_balances(p_users bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1) AS a
    CROSS JOIN LATERAL (
        SELECT FROM balance AS b WHERE b.user_id = a.user_id ORDER BY b.era DESC LIMIT 1 FOR UPDATE
    ) AS b;
END
$$;

CREATE FUNCTION public.lock_balances_of(p_jobs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    PERFORM lock_balances(
        ARRAY(
            SELECT j.user_id
            FROM unnest(p_jobs) AS a (job)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
            WHERE j.cost > 0
        ));
END
$$;

CREATE FUNCTION public.lock_jobs(p_jobs bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.lock_lines(p_users bigint[], p_keys text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(l.hash)
    FROM (
        SELECT DISTINCT hashtextextended(a.key, a.user_id) AS hash
        FROM unnest(p_users, p_keys) AS a (user_id, key)
        WHERE a.key IS NOT NULL
        ORDER BY 1
    ) AS l;
END
$$;

CREATE FUNCTION public.lock_lines_of(p_jobs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM serial_line) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(l.hash)
    FROM (
        SELECT DISTINCT hashtextextended(j.concurrency_key, j.user_id) AS hash
        FROM unnest(p_jobs) AS a (job)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
        WHERE j.concurrency_key IS NOT NULL
        ORDER BY 1
    ) AS l;
END
$$;

CREATE FUNCTION public.lock_places_of(p_jobs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    PERFORM FROM (
        SELECT j.* FROM unnest(p_jobs) AS a (job) CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job) AS j
    ) AS j
    CROSS JOIN LATERAL (
        SELECT
        FROM ready AS r
        WHERE r.user_id = j.user_id AND r.queue = j.queue AND r.priority = j.priority AND r.job = j.number
        FOR UPDATE
    ) AS r
    WHERE j.status = 'pending';
    PERFORM FROM (
        SELECT j.* FROM unnest(p_jobs) AS a (job) CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job) AS j
    ) AS j
    CROSS JOIN LATERAL (SELECT FROM schedule AS s WHERE s.run_at = j.run_at AND s.job = j.number FOR UPDATE) AS s
    WHERE j.status = 'pending' AND j.run_at IS NOT NULL;
END
$$;

CREATE FUNCTION public.lock_slots(p_kinds text[], p_users bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.lock_slots_of(p_jobs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.make_due(p_now bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_job job;
    v_jobs bigint[];
BEGIN
    IF NOT EXISTS (SELECT FROM schedule WHERE run_at <= p_now) THEN
        RETURN false;
    END IF;
    PERFORM lock_slots_of(ARRAY(SELECT job FROM schedule WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000));
    WITH due AS (
        DELETE FROM schedule
        WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM schedule WHERE run_at <= p_now ORDER BY run_at, job LIMIT 1000 FOR UPDATE SKIP LOCKED
        ))
        RETURNING run_at, job
    )
    SELECT array_agg(due.job ORDER BY due.run_at, due.job) INTO v_jobs FROM due;
    -- Users one after the other, as everybody takes turns; within one by time.
    FOR v_job IN
        UPDATE job AS j SET run_at = NULL, revision = j.revision + 1
        FROM (
            SELECT k.number, a.place
            FROM unnest(v_jobs) WITH ORDINALITY AS a (job, place)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS k
            ORDER BY k.user_id, k.queue, a.place
        ) AS a
        WHERE j.number = a.number
        RETURNING j.*
    LOOP
        PERFORM place_job(v_job, NULL, v_job.epoch > 0);
    END LOOP;
    RETURN v_jobs IS NOT NULL;
END
$$;

CREATE FUNCTION public.make_first_limits(p_ids uuid[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[]) RETURNS text[]
    LANGUAGE sql
    AS $$
    WITH made AS (
        INSERT INTO kind_limit (kind, fleet, per_user)
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_ids, p_kinds, p_fleet_limits, p_user_limits) AS a (id, kind, fleet, per_user)
        WHERE coalesce(a.fleet, a.per_user) IS NOT NULL AND NOT EXISTS (SELECT FROM job AS j WHERE j.id = a.id)
        ORDER BY a.kind
        ON CONFLICT (kind) DO NOTHING
        RETURNING kind
    )
    SELECT array_agg(made.kind) FROM made
$$;

CREATE FUNCTION public.pass_on(p_jobs bigint[], p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_left record;
    v_next job;
BEGIN
    FOR v_left IN
        WITH gone AS (
            DELETE FROM serial_line AS l
            USING (
                SELECT j.user_id, j.concurrency_key, j.number
                FROM unnest(p_jobs) AS a (job)
                CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
                WHERE j.concurrency_key IS NOT NULL
            ) AS j
            WHERE l.user_id = j.user_id AND l.concurrency_key = j.concurrency_key AND l.job = j.number
            RETURNING l.user_id, l.concurrency_key, l.job, l.holds
        )
        SELECT * FROM gone ORDER BY user_id, job
    LOOP
        IF NOT v_left.holds THEN
            -- The one behind it waits for another job than before.
            UPDATE job SET revision = revision + 1
            WHERE number = (
                SELECT l.job
                FROM serial_line AS l
                WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND NOT l.holds
                    AND l.job > v_left.job
                ORDER BY l.job
                LIMIT 1
            );
            CONTINUE;
        END IF;
        UPDATE serial_line SET holds = true
        WHERE user_id = v_left.user_id AND concurrency_key = v_left.concurrency_key AND job = (
            SELECT min(l.job)
            FROM serial_line AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key
        );
        CONTINUE WHEN NOT FOUND;
        UPDATE job AS j
        SET blocked = false, run_at = CASE WHEN j.run_at > p_now THEN j.run_at END, revision = j.revision + 1
        WHERE j.number = (
            SELECT l.job
            FROM serial_line AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND l.holds
        )
        RETURNING * INTO v_next;
        PERFORM place_job(v_next, v_next.run_at, false);
    END LOOP;
END
$$;

CREATE FUNCTION public.pass_on_slot(p_job public.job) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.place_job(p_job public.job, p_run_at bigint, p_is_returning boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    IF p_run_at IS NOT NULL THEN
        INSERT INTO schedule (run_at, job, deadline) VALUES (p_run_at, p_job.number, p_job.deadline);
    ELSIF p_job.limited AND NOT take_slot(p_job.kind, p_job.user_id) THEN
        INSERT INTO waiting (kind, user_id, priority, job, deadline)
        VALUES (p_job.kind, p_job.user_id, p_job.priority, p_job.number, p_job.deadline);
        UPDATE job SET waiting = true WHERE number = p_job.number;
        PERFORM add_to_share(p_job.kind, p_job.user_id, 0, 1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        PERFORM enter_ready(p_job, p_is_returning);
    END IF;
END
$$;

CREATE FUNCTION public.promote_best(p_kind text, p_user bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.promote_in_turn(p_kind text) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.promote_user(p_kind text, p_user bigint, p_per_user bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.put_best_first(p_queue public.queue, p_users bigint[], p_ranks bigint[], p_jobs bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_user record;
    v_best bigint[];
    v_all bigint[];
    v_ranks bigint[];
    v_taken bigint[] := p_jobs;
    v_index integer;
BEGIN
    FOR v_user IN
        SELECT
            a.user_id, array_agg(a.job ORDER BY a.place) AS jobs, array_agg(a.rank ORDER BY a.place) AS ranks,
            array_agg(a.place ORDER BY a.place) AS places
        FROM unnest(p_users, p_ranks, p_jobs) WITH ORDINALITY AS a (user_id, rank, job, place)
        WHERE EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.user_id = a.user_id AND r.unordered)
        GROUP BY 1
    LOOP
        SELECT array_agg(b.job ORDER BY b.priority DESC, b.job) INTO v_best
        FROM (
            SELECT r.job, r.priority
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id
            ORDER BY r.priority DESC, r.job
            LIMIT cardinality(v_user.jobs)
            FOR UPDATE SKIP LOCKED
        ) AS b;
        v_ranks := v_user.ranks || ARRAY(
            SELECT r.rank
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_best)
                AND NOT r.job = ANY (v_user.jobs)
            ORDER BY r.rank
        );
        v_all := v_best || ARRAY(
            SELECT r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_user.jobs)
                AND NOT r.job = ANY (v_best)
            ORDER BY r.priority DESC, r.job
        );
        UPDATE ready AS r SET rank = a.rank, unordered = true
        FROM unnest(v_all, v_ranks) AS a (job, rank)
        WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = a.job
            AND (r.rank <> a.rank OR NOT r.job = ANY (v_best));
        FOR v_index IN 1 .. cardinality(v_best) LOOP
            v_taken[v_user.places[v_index]] := v_best[v_index];
        END LOOP;
    END LOOP;
    RETURN v_taken;
END
$$;

CREATE FUNCTION public.record_article(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_number bigint;
BEGIN
    INSERT INTO article AS a (
        id, url, title, description, source, author, image, language, category, published_at, fetched_at, day,
        fingerprint, fingerprint_words, duplicate_of
    )
    VALUES (
        p_body ->> 'id', p_body ->> 'url', p_body ->> 'title', p_body ->> 'description', p_body ->> 'source',
        p_body ->> 'author', p_body ->> 'image', p_body ->> 'language', p_body ->> 'category',
        (p_body ->> 'published_at')::bigint, (p_body ->> 'fetched_at')::bigint, p_body ->> 'day',
        (p_body -> 'fingerprint' ->> 'bits')::bigint, (p_body -> 'fingerprint' ->> 'words')::bigint,
        p_body ->> 'duplicate_of'
    )
    ON CONFLICT (id) DO UPDATE SET
        author = coalesce(a.author, excluded.author), image = coalesce(a.image, excluded.image),
        language = coalesce(a.language, excluded.language), category = coalesce(a.category, excluded.category)
    RETURNING a.number INTO v_number;
    INSERT INTO article_text (article, text)
    SELECT v_number, p_body ->> 'text' WHERE p_body ->> 'text' IS NOT NULL
    ON CONFLICT DO NOTHING;
    INSERT INTO article_ticker (ticker, article)
    SELECT DISTINCT value, v_number FROM jsonb_array_elements_text(p_body -> 'tickers')
    ON CONFLICT DO NOTHING;
END
$$;

CREATE FUNCTION public.record_article_signal(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO article_signal AS s (url, signal, made_at)
    VALUES (p_body ->> 'url', p_body ->> 'signal', (p_body ->> 'made_at')::bigint)
    ON CONFLICT (url) DO UPDATE SET signal = excluded.signal, made_at = excluded.made_at
    WHERE s.made_at <= excluded.made_at;
    DELETE FROM article_signal WHERE made_at < (p_body ->> 'made_at')::bigint - 2592000000
$$;

CREATE FUNCTION public.record_article_vector(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO article_vector (article, model, components)
    SELECT number, p_body ->> 'model', p_body ->> 'components' FROM article WHERE id = p_body ->> 'article'
    ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION public.record_brief(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO brief AS b (user_id, items, generated_at)
    VALUES ((p_body ->> 'user')::bigint, p_body ->> 'items', (p_body ->> 'generated_at')::bigint)
    ON CONFLICT (user_id) DO UPDATE SET items = excluded.items, generated_at = excluded.generated_at
    WHERE b.generated_at <= excluded.generated_at
$$;

CREATE FUNCTION public.record_calls(p_now bigint, p_jobs uuid[], p_epochs bigint[], p_places bigint[], p_ids text[], p_providers text[], p_models text[], p_input_tokens bigint[], p_output_tokens bigint[], p_cache_read_tokens bigint[], p_cache_write_tokens bigint[], p_costs bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.record_conversation_turn(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO conversation_turn (job, user_id, conversation, subject, question, answer, citations, asked_at, answered_at)
    VALUES (
        p_body ->> 'job', (p_body ->> 'user')::bigint, p_body ->> 'conversation', p_body ->> 'subject',
        p_body ->> 'question', p_body ->> 'answer', p_body ->> 'citations', (p_body ->> 'asked_at')::bigint,
        (p_body ->> 'answered_at')::bigint)
    ON CONFLICT (job) DO NOTHING
$$;

CREATE FUNCTION public.record_document(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO document AS d (key, body, stored_at, kept_until)
    VALUES (
        p_body ->> 'key', p_body ->> 'text', (p_body ->> 'stored_at')::bigint, (p_body ->> 'kept_until')::bigint)
    ON CONFLICT (key) DO UPDATE
    SET body = excluded.body, stored_at = excluded.stored_at, kept_until = excluded.kept_until
    WHERE d.stored_at <= excluded.stored_at
$$;

CREATE FUNCTION public.record_news_source(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO news_source (source, etag, last_modified, asked_at, failures, problem)
    VALUES (
        p_body ->> 'source', p_body ->> 'etag', p_body ->> 'last_modified', (p_body ->> 'asked_at')::bigint,
        (p_body ->> 'failures')::bigint, p_body ->> 'problem'
    )
    ON CONFLICT (source) DO UPDATE SET
        etag = excluded.etag, last_modified = excluded.last_modified, asked_at = excluded.asked_at,
        failures = excluded.failures, problem = excluded.problem
$$;

CREATE FUNCTION public.record_old_news(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM article
    WHERE number IN (
        SELECT number FROM article
        WHERE fetched_at < (p_body ->> 'arrived_before')::bigint
        ORDER BY fetched_at LIMIT (p_body ->> 'limit')::bigint
    );
    DELETE FROM story
    WHERE number IN (
        SELECT number FROM story
        WHERE day < p_body ->> 'stories_before' ORDER BY day LIMIT (p_body ->> 'limit')::bigint
    )
$$;

CREATE FUNCTION public.record_passage(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO passage AS p (kind, source, part, owner, title, url, body, terms, written_at, digest)
    VALUES (
        p_body ->> 'kind', p_body ->> 'source', (p_body ->> 'part')::bigint, (p_body ->> 'owner')::bigint,
        p_body ->> 'title', p_body ->> 'url', p_body ->> 'text', p_body ->> 'terms',
        (p_body ->> 'written_at')::bigint,
        encode(sha256(convert_to((p_body ->> 'title') || E'\n' || (p_body ->> 'text'), 'UTF8')), 'hex'))
    ON CONFLICT (kind, source, part) DO UPDATE
    SET title = excluded.title, url = excluded.url, body = excluded.body, terms = excluded.terms,
        written_at = excluded.written_at, digest = excluded.digest
    WHERE p.owner IS NOT DISTINCT FROM excluded.owner AND p.written_at <= excluded.written_at
$$;

CREATE FUNCTION public.record_passage_vector(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO passage_vector (digest, model, components)
    SELECT p_body ->> 'digest', p_body ->> 'model', p_body ->> 'components'
    WHERE EXISTS (SELECT FROM passage WHERE digest = p_body ->> 'digest')
    ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION public.record_story(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_number bigint;
    v_stories bigint[];
    v_shown text[];
BEGIN
    INSERT INTO story (key, day, title, impact, confidence, tickers, created_at, updated_at)
    VALUES (
        p_body ->> 'key', p_body ->> 'day', p_body ->> 'title',
        array_position(ARRAY['Very Low', 'Low', 'Moderate', 'High'], p_body ->> 'impact') - 1,
        p_body ->> 'confidence', p_body -> 'tickers', (p_body ->> 'created_at')::bigint,
        (p_body ->> 'updated_at')::bigint
    )
    ON CONFLICT (key) DO UPDATE SET
        title = excluded.title, impact = excluded.impact, confidence = excluded.confidence,
        tickers = excluded.tickers, updated_at = excluded.updated_at, merged_into = NULL
    RETURNING number INTO v_number;
    UPDATE story SET merged_into = v_number
    WHERE key IN (SELECT value FROM jsonb_array_elements_text(p_body -> 'absorbed')) AND number <> v_number;
    v_stories := v_number || ARRAY(SELECT number FROM story WHERE merged_into = v_number);
    DELETE FROM story_member WHERE story = ANY (v_stories);
    INSERT INTO story_member (article, story, url, similarity, added_at, place)
    SELECT
        m.value ->> 'article', v_number, m.value ->> 'url', (m.value ->> 'similarity')::bigint,
        (m.value ->> 'added_at')::bigint, m.ordinality
    FROM jsonb_array_elements(p_body -> 'members') WITH ORDINALITY AS m
    ON CONFLICT (article) DO UPDATE SET
        story = excluded.story, url = excluded.url, similarity = excluded.similarity, added_at = excluded.added_at,
        place = excluded.place;
    -- Everybody's group has no ticker; each subject has one.
    v_shown := ARRAY[''] || ARRAY(
        SELECT t.value ->> 'symbol' FROM jsonb_array_elements(p_body -> 'tickers') WITH ORDINALITY AS t
        WHERE (t.value ->> 'is_subject')::boolean ORDER BY t.ordinality
    );
    UPDATE story_group SET is_shown = story = v_number AND ticker = ANY (v_shown)
    WHERE story = ANY (v_stories) AND is_shown <> (story = v_number AND ticker = ANY (v_shown));
    INSERT INTO story_group (story, ticker, day)
    SELECT v_number, s.ticker, p_body ->> 'day'
    FROM unnest(v_shown) WITH ORDINALITY AS s (ticker, place)
    WHERE NOT EXISTS (SELECT FROM story_group AS g WHERE g.story = v_number AND g.ticker = s.ticker)
    ORDER BY s.place
    ON CONFLICT DO NOTHING;
END
$$;

CREATE FUNCTION public.record_story_explanation(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO story_explanation AS e (story, holdings, version, body, provenance, created_at)
    VALUES (
        p_body ->> 'story', p_body ->> 'holdings', p_body ->> 'version', p_body ->> 'body', p_body ->> 'provenance',
        (p_body ->> 'created_at')::bigint)
    ON CONFLICT (story, holdings, version) DO UPDATE
    SET body = excluded.body, provenance = excluded.provenance, created_at = excluded.created_at
    WHERE e.created_at <= excluded.created_at
$$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;

CREATE FUNCTION public.replace_common_passages(p_kind text, p_bodies text[], p_now bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passages of kind ' || p_kind, 0));
    DELETE FROM passage AS p
    WHERE p.kind = p_kind AND p.owner IS NULL
        AND NOT EXISTS (
            SELECT FROM unnest(p_bodies) AS b (body)
            WHERE b.body::jsonb ->> 'source' = p.source AND (b.body::jsonb ->> 'part')::bigint = p.part
        );
    PERFORM record_passage(b.body::jsonb, NULL, NULL, p_now) FROM unnest(p_bodies) AS b (body);
    PERFORM forget_passage_vectors();
END
$$;

CREATE FUNCTION public.report_progress(p_ids uuid[], p_epochs bigint[], p_progress bigint[], p_steps text[]) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.rescue_worker(p_now bigint, p_worker text, p_beats bigint, p_deaths_allowed bigint, p_code text, p_message text, p_user_message text) RETURNS TABLE(id uuid, is_poisoned boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_death bigint;
    v_most integer;
    v_is_alone boolean;
    v_suspects bigint := 0;
    v_job job;
BEGIN
    -- Waits for a claim that is under way, and keeps out later ones.
    DELETE FROM worker AS w WHERE w.id = p_worker AND w.beats = p_beats RETURNING w.number INTO v_number;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE fleet_deaths AS f SET count = f.count + 1 RETURNING f.count INTO v_death;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    SELECT max(h.deaths), count(*) FILTER (WHERE h.deaths = h.most) = 1 INTO v_most, v_is_alone
    FROM (
        SELECT j.deaths, max(j.deaths) OVER () AS most
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
    ) AS h;
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.number
    LOOP
        IF v_job.deaths = 0 THEN
            UPDATE job AS j SET first_death = v_death WHERE j.number = v_job.number;
            v_job.first_death := v_death;
        END IF;
        IF v_job.deaths + 1 >= p_deaths_allowed AND v_job.deaths = v_most AND v_is_alone
            AND (CASE WHEN v_job.deaths + 1 >= 10 THEN 4 ELSE 2 END) * (v_job.deaths + 1)
                >= v_death - v_job.first_death + 1
        THEN
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
            RETURN QUERY SELECT v_job.id, true;
        ELSE
            IF v_job.deaths + 1 >= p_deaths_allowed THEN
                PERFORM give_back(v_job, 2000 * (v_suspects % 16), v_job.deaths + 1, v_now);
                v_suspects := v_suspects + 1;
            ELSE
                PERFORM give_back(v_job, 0, v_job.deaths + 1, v_now);
            END IF;
            RETURN QUERY SELECT v_job.id, false;
        END IF;
    END LOOP;
END
$$;

CREATE FUNCTION public.retry_job(p_now bigint, p_id uuid, p_user bigint) RETURNS TABLE(outcome text, earlier uuid, granted bigint, held bigint, used bigint, required bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_job job;
    v_balance balance;
    v_other uuid;
    v_is_blocked boolean := false;
    v_hold bigint;
    v_shared_job job;
BEGIN
    SELECT * INTO v_job FROM job WHERE id = p_id;
    IF NOT FOUND OR v_job.user_id <> p_user THEN
        RETURN QUERY SELECT 'nothing', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM lock_lines(ARRAY[v_job.user_id], ARRAY[v_job.concurrency_key]);
    PERFORM lock_slots_of(ARRAY[v_job.number] || ARRAY(SELECT j.number FROM job AS j WHERE j.id = v_job.sharedJob));
    PERFORM FROM job AS j WHERE j.id = v_job.sharedJob FOR UPDATE;
    IF v_job.shared_key IS NOT NULL THEN
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
    SELECT * INTO v_job FROM job WHERE id = p_id FOR UPDATE;
    IF v_job.status NOT IN ('failed', 'cancelled') THEN
        RETURN QUERY SELECT 'existing', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    SELECT j.id INTO v_other
    FROM joinable AS k
    JOIN job AS j ON j.number = k.job
    WHERE k.user_id = v_job.user_id AND k.unique_key = v_job.unique_key;
    IF FOUND THEN
        RETURN QUERY SELECT 'existing', v_other, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    PERFORM lock_balances(ARRAY[v_job.user_id, v_job.shared_owner]);
    v_balance := balance_of(v_job.user_id);
    IF coalesce(v_balance.granted - v_balance.held - v_balance.used, 0) < v_job.cost THEN
        RETURN QUERY SELECT 'short', NULL::uuid, coalesce(v_balance.granted, 0), coalesce(v_balance.held, 0),
            coalesce(v_balance.used, 0), v_job.cost;
        RETURN;
    END IF;
    IF v_job.cost > 0 THEN
        INSERT INTO ledger (user_id, kind, amount, job, created_at)
        VALUES (v_job.user_id, 'hold', v_job.cost, v_job.id, v_now)
        RETURNING ledger.entry INTO v_hold;
        PERFORM change_balances(ARRAY[v_job.user_id], ARRAY[v_job.cost], NULL);
    END IF;
    DELETE FROM step AS s WHERE s.job = v_job.number AND s.sequence >= v_job.drop_steps_from;
    IF v_job.unique_key IS NOT NULL THEN
        INSERT INTO joinable (user_id, unique_key, job) VALUES (v_job.user_id, v_job.unique_key, v_job.number);
    END IF;
    IF v_job.concurrency_key IS NOT NULL THEN
        v_is_blocked := EXISTS (
            SELECT FROM serial_line AS l WHERE l.user_id = v_job.user_id AND l.concurrency_key = v_job.concurrency_key
        );
        INSERT INTO serial_line (user_id, concurrency_key, job, deadline, holds)
        VALUES (
            v_job.user_id, v_job.concurrency_key, v_job.number, v_now + v_job.time_limit, NOT v_is_blocked);
        -- The one behind it waits for another job than before.
        UPDATE job AS j SET revision = j.revision + 1
        WHERE v_is_blocked AND j.number = (
            SELECT min(l.job)
            FROM serial_line AS l
            WHERE l.user_id = v_job.user_id AND l.concurrency_key = v_job.concurrency_key AND NOT l.holds
                AND l.job > v_job.number
        );
    END IF;
    UPDATE job AS j
    SET status = 'pending', blocked = v_is_blocked, hold = v_hold, deadline = v_now + j.time_limit, attempt = 0,
        interrupted = false, deaths = 0, drop_steps_from = NULL, progress = 0, current_step = NULL, error_code = NULL, error_message = NULL,
        error_user_message = NULL, started_at = NULL, completed_at = NULL, revision = j.revision + 1
    WHERE j.number = v_job.number
    RETURNING * INTO v_job;
    IF v_job.shared_key IS NOT NULL AND v_shared_job.number IS NULL AND EXISTS (
        SELECT
        FROM job AS j
        WHERE j.id = v_job.sharedJob AND j.user_id = v_job.shared_owner AND j.unique_key = v_job.shared_key
            AND j.status IN ('failed', 'cancelled')
    ) THEN
        PERFORM FROM retry_job(v_now, v_job.sharedJob, v_job.shared_owner);
        v_shared_job := find_shared_job(v_job.shared_owner, v_job.shared_key);
    END IF;
    IF v_shared_job.number IS NOT NULL THEN
        PERFORM join_shared_job(v_job, v_shared_job);
    ELSIF NOT v_is_blocked THEN
        PERFORM place_job(v_job, NULL, false);
    END IF;
    RETURN QUERY SELECT 'accepted', v_job.id, 0::bigint, 0::bigint, 0::bigint, 0::bigint;
END
$$;

CREATE FUNCTION public.store_now() RETURNS bigint
    LANGUAGE sql PARALLEL SAFE
    AS $$ SELECT floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint $$;

CREATE FUNCTION public.submit_jobs(p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[], p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[]) RETURNS TABLE(place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_outcomes text[];
    v_earlier uuid[];
    v_granted bigint[];
    v_held bigint[];
    v_used bigint[];
    v_new_users boolean[];
    v_blocked boolean[];
    v_numbers bigint[];
    v_holds bigint[];
    v_interactive bigint;
    v_background bigint;
    v_limited boolean[] := array_fill(false, ARRAY[cardinality(p_ids)]);
    v_has_limits boolean := cardinality(array_remove(p_fleet_limits || p_user_limits, NULL)) > 0;
    v_has_lines boolean := cardinality(array_remove(p_concurrency_keys, NULL)) > 0;
    v_job job;
    v_made_limits text[];
    v_account_owners bigint[];
    v_amounts bigint[];
    v_turn_users bigint[];
    v_turn_queues queue[];
BEGIN
    SELECT i.last_value, b.last_value INTO v_interactive, v_background
    FROM queue_time_interactive AS i, queue_time_background AS b;
    IF v_has_lines THEN
        PERFORM lock_lines(p_users, p_concurrency_keys);
    END IF;
    IF v_has_limits THEN
        v_limited := ARRAY(
            SELECT coalesce(a.fleet, a.per_user) IS NOT NULL
            FROM unnest(p_fleet_limits, p_user_limits) WITH ORDINALITY AS a (fleet, per_user, place)
            ORDER BY a.place
        );
        -- Limits stand by kind; a new job sets them where there are none yet.
        v_made_limits := make_first_limits(p_ids, p_kinds, p_fleet_limits, p_user_limits);
        PERFORM lock_slots(
            ARRAY(SELECT a.kind FROM unnest(p_kinds, v_limited) WITH ORDINALITY AS a (kind, is_limited, place)
                WHERE a.is_limited ORDER BY a.place),
            ARRAY(SELECT a.user_id FROM unnest(p_users, v_limited) WITH ORDINALITY AS a (user_id, is_limited, place)
                WHERE a.is_limited ORDER BY a.place));
    END IF;
    PERFORM lock_balances(p_users);

    -- What becomes of each: first by what was here before, then by the credits that are left when the earlier ones of
    -- the same user have theirs.
    SELECT
        array_agg(d.outcome ORDER BY d.place), array_agg(d.earlier ORDER BY d.place),
        array_agg(d.granted ORDER BY d.place), array_agg(d.held + d.taken ORDER BY d.place),
        array_agg(d.used ORDER BY d.place),
        array_agg(d.is_new AND d.outcome = 'accepted' AND d.turn = 1 ORDER BY d.place),
        array_agg(d.is_blocked ORDER BY d.place),
        array_agg(CASE WHEN d.outcome = 'accepted' THEN nextval('job_number_seq') END ORDER BY d.place),
        array_agg(CASE WHEN d.outcome = 'accepted' AND d.cost > 0 THEN nextval('ledger_entry_seq') END ORDER BY d.place)
    INTO v_outcomes, v_earlier, v_granted, v_held, v_used, v_new_users, v_blocked, v_numbers, v_holds
    FROM (
        SELECT
            c.*,
            CASE
                WHEN c.before IS NOT NULL THEN c.before
                WHEN c.needed <= c.remaining THEN 'accepted'
                WHEN c.cost > c.remaining - c.taken THEN 'short'
                ELSE 'again'
            END AS outcome
        FROM (
            SELECT
                n.*,
                coalesce(
                    max(n.needed) FILTER (WHERE n.before IS NULL AND n.needed <= n.remaining)
                        OVER (PARTITION BY n.user_id),
                    0) AS taken
            FROM (
                SELECT
                    e.*,
                    e.granted - e.held - e.used AS remaining,
                    sum(CASE WHEN e.before IS NULL THEN e.cost ELSE 0 END)
                        OVER (PARTITION BY e.user_id ORDER BY e.place)::bigint AS needed,
                    row_number() OVER (PARTITION BY e.user_id, e.before ORDER BY e.place) AS turn
                FROM (
                    SELECT
                        a.place, a.user_id, a.cost,
                        CASE
                            WHEN same.id IS NOT NULL THEN
                                CASE WHEN same.user_id = a.user_id THEN 'existing' ELSE 'conflict' END
                            WHEN promised.id IS NOT NULL THEN
                                CASE
                                    WHEN promised.idempotency_fingerprint = a.fingerprint THEN 'existing'
                                    ELSE 'conflict'
                                END
                            WHEN joined.id IS NOT NULL THEN 'existing'
                        END AS before,
                        coalesce(same.id, promised.id, joined.id) AS earlier,
                        b.user_id IS NULL AS is_new,
                        coalesce(b.granted, first_value(a.starting) OVER (PARTITION BY a.user_id ORDER BY a.place))
                            AS granted,
                        coalesce(b.held, 0) AS held,
                        coalesce(b.used, 0) AS used,
                        a.concurrency_key IS NOT NULL AND EXISTS (
                            SELECT
                            FROM serial_line AS l
                            WHERE l.user_id = a.user_id AND l.concurrency_key = a.concurrency_key
                        ) AS is_blocked
                    FROM unnest(
                        p_ids, p_users, p_costs, p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints,
                        p_starting
                    ) WITH ORDINALITY AS a (
                        id, user_id, cost, concurrency_key, unique_key, idempotency_key, fingerprint, starting, place)
                    LEFT JOIN LATERAL (
                        SELECT * FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.era DESC LIMIT 1
                    ) AS b ON true
                    LEFT JOIN job AS same ON same.id = a.id
                    LEFT JOIN job AS promised
                        ON promised.idempotency_key = a.idempotency_key AND promised.user_id + 0 = a.user_id
                    LEFT JOIN joinable AS j ON j.user_id = a.user_id AND j.unique_key = a.unique_key
                    LEFT JOIN job AS joined ON joined.number = j.job
                ) AS e
            ) AS n
        ) AS c
    ) AS d;

    IF v_made_limits IS NOT NULL THEN
        PERFORM keep_first_limits(v_made_limits, p_kinds, p_fleet_limits, p_user_limits, v_outcomes);
    END IF;
    IF true = ANY (v_new_users) THEN
        PERFORM begin_balances(
            ARRAY(SELECT a.user_id FROM unnest(p_users, v_new_users) WITH ORDINALITY AS a (user_id, is_new, place)
                WHERE a.is_new ORDER BY a.place),
            ARRAY(SELECT a.granted FROM unnest(v_granted, v_new_users) WITH ORDINALITY AS a (granted, is_new, place)
                WHERE a.is_new ORDER BY a.place),
            v_now);
    END IF;

    INSERT INTO job (
        number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, run_at, hold, queue,
        blocked, limited, kind, bundle, input, concurrency_key, unique_key, idempotency_key, idempotency_fingerprint, request_id
    )
    SELECT
        a.number, a.id, a.user_id, a.priority, a.cost, a.max_attempts, v_now, a.deadline - v_now, a.deadline,
        CASE WHEN a.run_at > v_now THEN a.run_at END, a.hold, a.queue::queue, a.is_blocked, a.is_limited, a.kind, a.bundle,
        a.input, a.concurrency_key, a.unique_key, a.idempotency_key, a.fingerprint, a.request_id
    FROM unnest(
        v_numbers, p_ids, p_users, p_priorities, p_costs, p_max_attempts, p_deadlines, p_run_ats, v_holds, p_queues,
        v_blocked, v_limited, p_kinds, p_bundles, p_inputs, p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints,
        p_request_ids
    ) AS a (
        number, id, user_id, priority, cost, max_attempts, deadline, run_at, hold, queue, is_blocked, is_limited, kind,
        bundle, input, concurrency_key, unique_key, idempotency_key, fingerprint, request_id)
    WHERE a.number IS NOT NULL;

    IF cardinality(array_remove(p_unique_keys, NULL)) > 0 THEN
        INSERT INTO joinable (user_id, unique_key, job)
        SELECT a.user_id, a.unique_key, a.number
        FROM unnest(p_users, p_unique_keys, v_numbers) AS a (user_id, unique_key, number)
        WHERE a.unique_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF v_has_lines THEN
        INSERT INTO serial_line (user_id, concurrency_key, job, deadline, holds)
        SELECT a.user_id, a.concurrency_key, a.number, a.deadline, NOT a.is_blocked
        FROM unnest(p_users, p_concurrency_keys, v_numbers, p_deadlines, v_blocked)
            AS a (user_id, concurrency_key, number, deadline, is_blocked)
        WHERE a.concurrency_key IS NOT NULL AND a.number IS NOT NULL;
    END IF;

    IF cardinality(array_remove(v_holds, NULL)) > 0 THEN
        WITH held AS (
            INSERT INTO ledger (entry, user_id, kind, amount, job, created_at)
            SELECT a.hold, a.user_id, 'hold', a.cost, a.id, v_now
            FROM unnest(v_holds, p_users, p_costs, p_ids) AS a (hold, user_id, cost, id)
            WHERE a.hold IS NOT NULL
            RETURNING ledger.user_id, ledger.amount
        )
        SELECT array_agg(h.user_id), array_agg(h.amount) INTO v_account_owners, v_amounts FROM held AS h;
        PERFORM change_balances(v_account_owners, v_amounts, NULL);
    END IF;

    IF cardinality(array_remove(p_run_ats, NULL)) > 0 THEN
        INSERT INTO schedule (run_at, job, deadline)
        SELECT a.run_at, a.number, a.deadline
        FROM unnest(p_run_ats, v_numbers, p_deadlines, v_blocked) AS a (run_at, number, deadline, is_blocked)
        WHERE a.run_at > v_now AND a.number IS NOT NULL AND NOT a.is_blocked;
    END IF;

    -- As many slots for each user as they have jobs here, after their last one and not before where the lane is.
    SELECT array_agg(a.user_id), array_agg(a.queue::queue)
    INTO v_turn_users, v_turn_queues
    FROM unnest(p_users, p_queues, p_run_ats, v_numbers, v_blocked, v_limited)
        AS a (user_id, queue, run_at, number, is_blocked, is_limited)
    WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now);
    IF v_turn_users IS NOT NULL THEN
        PERFORM take_turns(v_turn_users, v_turn_queues, v_interactive, v_background);
    END IF;

    INSERT INTO ready (queue, rank, job, user_id, priority, deadline, unordered)
    SELECT r.queue, t.rank - r.after, r.number, r.user_id, r.priority, r.deadline, r.priority <> 0
    FROM (
        SELECT
            a.queue::queue, a.number, a.user_id, a.priority, a.deadline,
            row_number() OVER (PARTITION BY a.user_id, a.queue ORDER BY a.number DESC) - 1 AS after
        FROM unnest(p_queues, v_numbers, p_users, p_priorities, p_deadlines, p_run_ats, v_blocked, v_limited)
            AS a (queue, number, user_id, priority, deadline, run_at, is_blocked, is_limited)
        WHERE a.number IS NOT NULL AND NOT a.is_blocked AND NOT a.is_limited AND (a.run_at IS NULL OR a.run_at <= v_now)
    ) AS r
    CROSS JOIN LATERAL (
        SELECT n.rank FROM turn AS n WHERE n.user_id = r.user_id AND n.queue = r.queue ORDER BY n.era DESC LIMIT 1
    ) AS t;

    -- Those that need a slot, one after the other.
    IF v_has_limits THEN
        FOR v_job IN
            SELECT j.*
            FROM unnest(v_numbers, v_limited) AS a (number, is_limited)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE job.number = a.number OFFSET 0) AS j
            WHERE a.is_limited AND NOT j.blocked AND j.run_at IS NULL
            ORDER BY j.user_id, j.number
        LOOP
            PERFORM place_job(v_job, NULL, false);
        END LOOP;
    END IF;

    RETURN QUERY
    SELECT a.place, a.outcome, a.earlier, a.granted, a.held, a.used, v_now, a.is_blocked OR v_limited[a.place]
    FROM unnest(v_outcomes, v_earlier, v_granted, v_held, v_used, v_blocked) WITH ORDINALITY
        AS a (outcome, earlier, granted, held, used, is_blocked, place);
END
$$;

CREATE FUNCTION public.submit_one_each(p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_starting bigint[]) RETURNS TABLE(place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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
    -- Before what others submitted meanwhile is looked at, which the statements below see.
    PERFORM lock_balances(p_users);

    -- What the keys stand for already: a job by an idempotency key, with whether it was the same request, or one that
    -- is joined.
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
            LEFT JOIN joinable AS j ON j.user_id = a.user_id AND j.unique_key = a.unique_key
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
            SELECT * FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.era DESC LIMIT 1
        ) AS b ON true
        LEFT JOIN job AS same ON same.id = a.id
        ORDER BY a.place
    ) AS d;

    IF true = ANY (v_are_new) THEN
        PERFORM begin_balances(array_agg(a.user_id), array_agg(a.starting), v_now)
        FROM unnest(p_users, p_starting, v_are_new, v_numbers) AS a (user_id, starting, is_new, number)
        WHERE a.is_new AND a.number IS NOT NULL
        HAVING count(*) > 0;
    END IF;

    INSERT INTO job (
        number, id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, hold, queue, limited, kind,
        bundle, input, unique_key, idempotency_key, idempotency_fingerprint, request_id
    )
    SELECT
        a.number, a.id, a.user_id, a.priority, a.cost, a.max_attempts, v_now, a.deadline - v_now, a.deadline, a.hold,
        a.queue::queue, false, a.kind, a.bundle, a.input, a.unique_key, a.idempotency_key, a.fingerprint, a.request_id
    FROM unnest(
        v_numbers, p_ids, p_users, p_priorities, p_costs, p_max_attempts, p_deadlines, v_holds, p_queues, p_kinds,
        p_bundles, p_inputs, p_unique_keys, p_idempotency_keys, p_fingerprints, p_request_ids
    ) AS a (
        number, id, user_id, priority, cost, max_attempts, deadline, hold, queue, kind, bundle, input, unique_key,
        idempotency_key, fingerprint, request_id)
    WHERE a.number IS NOT NULL;

    IF v_has_keys THEN
        INSERT INTO joinable (user_id, unique_key, job)
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

    -- A slot for each after the user's last one, and not before where the lane is.
    WITH asked AS MATERIALIZED (
        SELECT a.*, n.era, CASE a.queue WHEN 'interactive' THEN i.last_value ELSE b.last_value END AS first_rank
        FROM (
            SELECT a.user_id, a.queue::queue, a.number, a.priority, a.deadline
            FROM unnest(p_users, p_queues, v_numbers, p_priorities, p_deadlines)
                AS a (user_id, queue, number, priority, deadline)
            WHERE a.number IS NOT NULL
            ORDER BY 1
        ) AS a
        CROSS JOIN queue_time_interactive AS i
        CROSS JOIN queue_time_background AS b
        LEFT JOIN LATERAL (
            SELECT n.era FROM turn AS n WHERE n.user_id = a.user_id AND n.queue = a.queue ORDER BY n.era DESC LIMIT 1
        ) AS n ON true
    ), taken AS (
        UPDATE turn AS t
        SET rank = greatest(t.rank + 1, a.first_rank), changes = t.changes + 1, era = (t.changes + 1) / 16
        FROM asked AS a
        WHERE t.user_id = a.user_id AND t.queue = a.queue AND t.era = a.era
        RETURNING t.rank, a.number, a.user_id, a.priority, a.deadline, a.queue
    ), begun AS (
        INSERT INTO turn (user_id, queue, rank)
        SELECT a.user_id, a.queue, a.first_rank FROM asked AS a WHERE a.era IS NULL
    ), placed AS (
        INSERT INTO ready (rank, job, user_id, priority, deadline, queue, unordered)
        SELECT t.*, t.priority <> 0 FROM taken AS t
        UNION ALL
        SELECT a.first_rank, a.number, a.user_id, a.priority, a.deadline, a.queue, a.priority <> 0
        FROM asked AS a
        WHERE a.era IS NULL
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM placed) INTO v_asked, v_done;
    IF v_done < v_asked THEN
        RAISE EXCEPTION 'a turn has moved on' USING ERRCODE = 'serialization_failure';
    END IF;

    RETURN QUERY
    SELECT a.place, a.outcome, a.earlier, a.granted, a.held, a.used, v_now, false
    FROM unnest(v_outcomes, v_earlier, v_granted, v_held, v_used) WITH ORDINALITY
        AS a (outcome, earlier, granted, held, used, place);
END
$$;

CREATE FUNCTION public.submit_shared_jobs(p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs text[], p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[], p_concurrency_keys text[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[], p_request_ids text[], p_deadlines bigint[], p_run_ats bigint[], p_starting bigint[], p_fleet_limits bigint[], p_user_limits bigint[], p_owners bigint[], p_keys text[], p_shared_job_ids uuid[], p_shared_job_inputs text[], p_shared_job_deadlines bigint[], p_results text[]) RETURNS TABLE(place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, timestamp bigint, is_blocked boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.take_ready(p_queue public.queue, p_slots bigint, p_from bigint, OUT jobs bigint[], OUT reached bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_users bigint[];
    v_ranks bigint[];
    v_jobs bigint[];
BEGIN
    IF EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.unordered) THEN
        SELECT array_agg(s.user_id), array_agg(s.rank), array_agg(s.job) INTO v_users, v_ranks, v_jobs
        FROM (
            SELECT r.user_id, r.rank, r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.rank >= p_from
            ORDER BY r.queue, r.rank, r.job
            LIMIT p_slots
            FOR UPDATE SKIP LOCKED
        ) AS s;
        IF v_jobs IS NULL THEN
            RETURN;
        END IF;
        v_jobs := put_best_first(p_queue, v_users, v_ranks, v_jobs);
        WITH taken AS (
            DELETE FROM ready AS r
            USING unnest(v_ranks, v_jobs) WITH ORDINALITY AS a (rank, job, place)
            WHERE r.queue = p_queue AND r.rank = a.rank AND r.job = a.job
            RETURNING a.place, r.rank, r.job
        )
        SELECT array_agg(t.job ORDER BY t.place), max(t.rank) INTO jobs, reached FROM taken AS t;
        RETURN;
    END IF;
    WITH taken AS (
        DELETE FROM ready
        WHERE ctid = ANY (ARRAY(
            SELECT r.ctid
            FROM ready AS r
            WHERE r.queue = p_queue AND r.rank >= p_from
            ORDER BY r.queue, r.rank, r.job
            LIMIT p_slots
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING rank, job
    )
    SELECT array_agg(t.job ORDER BY t.rank, t.job), max(t.rank) INTO jobs, reached FROM taken AS t;
END
$$;

CREATE FUNCTION public.take_slot(p_kind text, p_user bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
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

CREATE FUNCTION public.take_turns(p_users bigint[], p_queues public.queue[], p_interactive bigint, p_background bigint) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
    v_asked bigint;
    v_taken bigint;
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT
            a.*, n.era,
            CASE a.queue WHEN 'interactive' THEN p_interactive ELSE p_background END + a.places - 1 AS first_rank
        FROM (
            SELECT a.user_id, a.queue, count(*) AS places
            FROM unnest(p_users, p_queues) AS a (user_id, queue)
            GROUP BY 1, 2
            ORDER BY 1, 2
        ) AS a
        LEFT JOIN LATERAL (
            SELECT n.era FROM turn AS n WHERE n.user_id = a.user_id AND n.queue = a.queue ORDER BY n.era DESC LIMIT 1
        ) AS n ON true
    ), taken AS (
        UPDATE turn AS t
        SET rank = greatest(t.rank + a.places, a.first_rank), changes = t.changes + 1, era = (t.changes + 1) / 16
        FROM asked AS a
        WHERE t.user_id = a.user_id AND t.queue = a.queue AND t.era = a.era
        RETURNING 1
    ), begun AS (
        INSERT INTO turn (user_id, queue, rank)
        SELECT a.user_id, a.queue, a.first_rank FROM asked AS a WHERE a.era IS NULL
    )
    SELECT (SELECT count(*) FROM asked AS a WHERE a.era IS NOT NULL), (SELECT count(*) FROM taken)
    INTO v_asked, v_taken;
    IF v_taken < v_asked THEN
        RAISE EXCEPTION 'a turn has moved on' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

CREATE FUNCTION public.watchlist_add(p_now bigint, p_user bigint, p_ticker text, p_name text, p_limit bigint) RETURNS TABLE(state text, name text, added_at bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('watchlist', p_user));
    RETURN QUERY
    SELECT 'existing', w.name, w.added_at FROM watchlist AS w WHERE w.user_id = p_user AND w.ticker = p_ticker;
    IF FOUND THEN
        RETURN;
    END IF;
    IF (SELECT count(*) FROM watchlist AS w WHERE w.user_id = p_user) >= p_limit THEN
        RETURN QUERY SELECT 'full', NULL::text, 0::bigint;
        RETURN;
    END IF;
    RETURN QUERY
    INSERT INTO watchlist AS w (user_id, ticker, name, added_at)
    VALUES (p_user, p_ticker, p_name, coalesce(p_now, store_now()))
    RETURNING 'added', w.name, w.added_at;
END
$$;

CREATE FUNCTION public.withdraw_job(p_job public.job) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
    IF holds_slot(p_job) THEN
        PERFORM add_to_share(p_job.kind, p_job.user_id, -1, 0);
    END IF;
    IF p_job.status = 'processing' THEN
        DELETE FROM lease WHERE worker = p_job.worker AND job = p_job.number;
    ELSIF p_job.following IS NOT NULL THEN
        DELETE FROM subscriber WHERE sharedJob = p_job.following AND job = p_job.number;
        -- What its owner saw of the leader stays.
        UPDATE job AS j
        SET progress = l.progress, current_step = l.current_step, attempt = l.attempt,
            started_at = CASE WHEN l.started_at IS NOT NULL THEN greatest(l.started_at, j.created_at) END,
            revision = j.revision + l.revision - j.shared_job_revision, following = NULL, shared_job_revision = NULL
        FROM job AS l
        WHERE j.number = p_job.number AND l.number = p_job.following;
    ELSIF p_job.blocked THEN
        NULL;
    ELSIF p_job.run_at IS NOT NULL THEN
        DELETE FROM schedule WHERE run_at = p_job.run_at AND job = p_job.number;
    ELSIF p_job.waiting THEN
        DELETE FROM waiting
        WHERE kind = p_job.kind AND user_id = p_job.user_id AND priority = p_job.priority AND job = p_job.number;
        PERFORM add_to_share(p_job.kind, p_job.user_id, 0, -1);
        PERFORM take_position(p_job.kind, p_job.user_id);
    ELSE
        DELETE FROM ready
        WHERE user_id = p_job.user_id AND queue = p_job.queue AND priority = p_job.priority AND job = p_job.number;
        -- A slot that nobody will use: the user's next job stands one place further ahead.
        UPDATE turn AS t SET rank = t.rank - 1, changes = t.changes + 1, era = (t.changes + 1) / 16
        WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
            AND t.era = (
                SELECT n.era FROM turn AS n WHERE n.user_id = p_job.user_id AND n.queue = p_job.queue
                ORDER BY n.era DESC LIMIT 1
            );
    END IF;
END
$$;

CREATE TABLE public.account (
    id bigint NOT NULL,
    subject text NOT NULL,
    created_at bigint NOT NULL
);

CREATE SEQUENCE public.account_number
    START WITH 1099511627777
    INCREMENT BY 1
    MINVALUE 1099511627777
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.article (
    number bigint NOT NULL,
    id text NOT NULL,
    url text NOT NULL,
    title text NOT NULL,
    description text,
    source text NOT NULL,
    author text,
    image text,
    language text,
    category text,
    published_at bigint NOT NULL,
    fetched_at bigint NOT NULL,
    day text,
    fingerprint bigint NOT NULL,
    fingerprint_words bigint NOT NULL,
    duplicate_of text
);

CREATE TABLE public.article_index (
    article bigint NOT NULL,
    words tsvector NOT NULL
);

ALTER TABLE public.article ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.article_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.article_text (
    article bigint NOT NULL,
    text text NOT NULL
);

CREATE TABLE public.article_ticker (
    ticker text NOT NULL,
    article bigint NOT NULL
);

CREATE VIEW public.article_record AS
 SELECT a.number,
    a.id,
    a.url,
    a.title,
    a.description,
    t.text,
    a.source,
    a.author,
    a.image,
    a.language,
    a.category,
    ( SELECT string_agg(k.ticker, ' '::text) AS string_agg
           FROM public.article_ticker k
          WHERE (k.article = a.number)) AS tickers,
    a.published_at,
    a.fetched_at,
    a.day,
    a.fingerprint,
    a.fingerprint_words,
    a.duplicate_of
   FROM (public.article a
     LEFT JOIN public.article_text t ON ((t.article = a.number)));

CREATE TABLE public.article_signal (
    url text NOT NULL COLLATE pg_catalog."C",
    signal text NOT NULL,
    made_at bigint NOT NULL,
    CONSTRAINT article_signal_url_check CHECK ((octet_length(url) <= 2048))
);

CREATE TABLE public.article_vector (
    article bigint NOT NULL,
    model text NOT NULL,
    components text NOT NULL
);

CREATE TABLE public.brief (
    user_id bigint NOT NULL,
    items text NOT NULL,
    generated_at bigint NOT NULL
);

CREATE TABLE public.budget (
    name text NOT NULL,
    version bigint NOT NULL,
    state text NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.bundle (
    hash text NOT NULL,
    archive text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE public.conversation_turn (
    number bigint NOT NULL,
    job text NOT NULL,
    user_id bigint NOT NULL,
    conversation text NOT NULL,
    subject text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    citations text NOT NULL,
    asked_at bigint NOT NULL,
    answered_at bigint NOT NULL
);

ALTER TABLE public.conversation_turn ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.conversation_turn_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.current_bundle (
    one bigint NOT NULL,
    hash text NOT NULL,
    adopted_at bigint NOT NULL,
    CONSTRAINT current_bundle_one_check CHECK ((one = 1))
);

CREATE TABLE public.document (
    key text NOT NULL,
    body text NOT NULL,
    stored_at bigint NOT NULL,
    kept_until bigint NOT NULL
);

CREATE TABLE public.fleet_deaths (
    one integer NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT fleet_deaths_one_check CHECK ((one = 1))
)
WITH (fillfactor='50');

CREATE TABLE public.subscriber (
    sharedJob bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.holding (
    user_id bigint NOT NULL,
    ticker text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    label text,
    notes text
);

ALTER TABLE public.job ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.job_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.serial_line (
    user_id bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    holds boolean NOT NULL,
    concurrency_key text NOT NULL
);

CREATE VIEW public.job_record WITH (security_invoker='true') AS
 SELECT j.id,
    j.user_id,
    j.kind,
    j.input,
    j.bundle,
    (COALESCE(l.status, j.status))::text AS status,
    (j.queue)::text AS queue,
    j.priority,
    COALESCE(l.progress, j.progress) AS progress,
        CASE
            WHEN (l.number IS NULL) THEN j.current_step
            ELSE l.current_step
        END AS current_step,
    COALESCE(l.attempt, j.attempt) AS attempt,
    j.max_attempts,
    j.cost,
        CASE
            WHEN (l.number IS NULL) THEN j.error_code
            ELSE l.error_code
        END AS error_code,
        CASE
            WHEN (l.number IS NULL) THEN j.error_message
            ELSE l.error_message
        END AS error_message,
        CASE
            WHEN (l.number IS NULL) THEN j.error_user_message
            ELSE l.error_user_message
        END AS error_user_message,
    (j.revision + COALESCE((l.revision - j.shared_job_revision), (0)::bigint)) AS revision,
    j.created_at,
        CASE
            WHEN (l.number IS NULL) THEN j.started_at
            WHEN (l.started_at IS NOT NULL) THEN GREATEST(l.started_at, j.created_at)
            ELSE NULL::bigint
        END AS started_at,
    j.completed_at,
    j.deadline,
    j.run_at,
        CASE
            WHEN j.blocked THEN ( SELECT p.id
               FROM (public.serial_line s
                 JOIN public.job p ON ((p.number = s.job)))
              WHERE ((s.user_id = j.user_id) AND (s.concurrency_key = j.concurrency_key) AND (s.holds OR (s.job < j.number)))
              ORDER BY s.holds, s.job DESC
             LIMIT 1)
            ELSE NULL::uuid
        END AS held_up_by,
    j.waiting,
    j.number,
    (j.following IS NOT NULL) AS is_following
   FROM (public.job j
     LEFT JOIN public.job l ON ((l.number = j.following)));

CREATE TABLE public.joinable (
    user_id bigint NOT NULL,
    job bigint NOT NULL,
    unique_key text NOT NULL
);

CREATE TABLE public.kind_limit (
    kind text NOT NULL,
    fleet bigint,
    per_user bigint,
    taken bigint DEFAULT 0 NOT NULL,
    turns bigint DEFAULT 0 NOT NULL,
    CONSTRAINT kind_limit_fleet_check CHECK ((fleet >= 1)),
    CONSTRAINT kind_limit_per_user_check CHECK ((per_user >= 1)),
    CONSTRAINT kind_limit_taken_check CHECK ((taken >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.user_concurrency (
    user_id bigint NOT NULL,
    taken bigint NOT NULL,
    waiting bigint NOT NULL,
    turn bigint,
    kind text NOT NULL,
    CONSTRAINT kind_share_taken_check CHECK ((taken >= 0)),
    CONSTRAINT kind_share_waiting_check CHECK ((waiting >= 0))
)
WITH (fillfactor='50');

CREATE SEQUENCE public.queue_time_background
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE public.queue_time_interactive
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.lease (
    worker bigint NOT NULL,
    job bigint NOT NULL,
    claim bigint NOT NULL,
    deadline bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0', autovacuum_vacuum_insert_threshold='-1');

CREATE TABLE public.ledger (
    entry bigint NOT NULL,
    user_id bigint NOT NULL,
    amount bigint NOT NULL,
    created_at bigint NOT NULL,
    hold bigint,
    job uuid,
    operation uuid,
    kind public.ledger_kind NOT NULL,
    note text,
    CONSTRAINT ledger_check CHECK (((kind = ANY (ARRAY['settle'::public.ledger_kind, 'release'::public.ledger_kind])) = (hold IS NOT NULL))),
    CONSTRAINT ledger_check1 CHECK (((kind = 'grant'::public.ledger_kind) OR ((job IS NOT NULL) AND (amount > 0))))
);

ALTER TABLE public.ledger ALTER COLUMN entry ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_entry_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.migration (
    version bigint NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at bigint NOT NULL
);

CREATE TABLE public.model_call (
    user_id bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cache_read_tokens bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    cost_micro_dollars bigint NOT NULL,
    created_at bigint NOT NULL,
    job uuid NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    provider text NOT NULL,
    model text NOT NULL
);

CREATE SEQUENCE public.news_ready
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.news_source (
    source text NOT NULL,
    etag text,
    last_modified text,
    asked_at bigint NOT NULL,
    failures bigint NOT NULL,
    problem text
);

CREATE SEQUENCE public.news_visible
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.passage (
    number bigint NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    part bigint NOT NULL,
    owner bigint,
    title text NOT NULL,
    url text,
    body text NOT NULL,
    terms text NOT NULL,
    written_at bigint NOT NULL,
    index tsvector GENERATED ALWAYS AS (array_to_tsvector(array_remove(string_to_array(terms, ' '::text), ''::text))) STORED NOT NULL,
    digest text NOT NULL
);

ALTER TABLE public.passage ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.passage_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.passage_vector (
    digest text NOT NULL,
    model text NOT NULL,
    components text NOT NULL
);

CREATE TABLE public.account_owner (
    user_id bigint NOT NULL
);

CREATE TABLE public.preferences (
    user_id bigint NOT NULL,
    focus_profile public.focus_profile NOT NULL,
    updated_at bigint NOT NULL
);

CREATE UNLOGGED TABLE public.rate_count (
    minute bigint NOT NULL,
    user_id bigint NOT NULL,
    count bigint NOT NULL,
    bucket text NOT NULL,
    broker text NOT NULL
);

CREATE TABLE public.ready (
    rank bigint NOT NULL,
    job bigint NOT NULL,
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    deadline bigint NOT NULL,
    queue public.queue NOT NULL,
    unordered boolean NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0', autovacuum_vacuum_insert_threshold='-1');

CREATE TABLE public.schedule (
    run_at bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.schedule_tick (
    schedule text NOT NULL,
    timestamp bigint NOT NULL
);

CREATE TABLE public.step (
    job bigint NOT NULL,
    sequence bigint NOT NULL,
    occurrence bigint NOT NULL,
    name text NOT NULL,
    input_hash text NOT NULL,
    output text NOT NULL
)
WITH (autovacuum_vacuum_insert_scale_factor='0.5');

CREATE SEQUENCE public.step_sequence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.story (
    number bigint NOT NULL,
    key text NOT NULL,
    day text NOT NULL,
    title text NOT NULL,
    impact bigint NOT NULL,
    confidence text NOT NULL,
    tickers jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    merged_into bigint,
    CONSTRAINT story_confidence_check CHECK ((confidence = ANY (ARRAY['Low'::text, 'Medium'::text, 'High'::text]))),
    CONSTRAINT story_impact_check CHECK (((impact >= 0) AND (impact <= 3)))
);

CREATE TABLE public.story_explanation (
    story text NOT NULL,
    holdings text NOT NULL,
    version text NOT NULL,
    body text NOT NULL,
    provenance text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE public.story_group (
    id bigint NOT NULL,
    story bigint NOT NULL,
    ticker text DEFAULT ''::text NOT NULL,
    day text NOT NULL,
    is_shown boolean DEFAULT true NOT NULL
);

ALTER TABLE public.story_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.story_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.story_member (
    article text NOT NULL,
    story bigint NOT NULL,
    url text NOT NULL,
    similarity bigint NOT NULL,
    added_at bigint NOT NULL,
    place bigint NOT NULL,
    CONSTRAINT story_member_similarity_check CHECK (((similarity >= 0) AND (similarity <= 10000)))
);

ALTER TABLE public.story ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.story_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.story_record AS
 SELECT s.number,
    s.key,
    s.day,
    s.title,
    s.impact,
    s.confidence,
    (s.tickers)::text AS tickers,
    ( SELECT (COALESCE(json_agg(json_build_array(m.article, m.url, m.similarity, m.added_at) ORDER BY m.place), '[]'::json))::text AS "coalesce"
           FROM public.story_member m
          WHERE (m.story = s.number)) AS members,
    ( SELECT (COALESCE(json_agg(l.key ORDER BY l.created_at, (l.key COLLATE "C")), '[]'::json))::text AS "coalesce"
           FROM public.story l
          WHERE (l.merged_into = s.number)) AS absorbed,
    s.created_at,
    s.updated_at,
    s.merged_into
   FROM public.story s;

CREATE TABLE public.turn (
    user_id bigint NOT NULL,
    rank bigint NOT NULL,
    queue public.queue NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    era bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.waiting (
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    kind text NOT NULL
);

CREATE TABLE public.watchlist (
    user_id bigint NOT NULL,
    added_at bigint NOT NULL,
    ticker text NOT NULL,
    name text
);

CREATE TABLE public.worker (
    number bigint NOT NULL,
    id text NOT NULL,
    host text NOT NULL,
    process_id bigint NOT NULL,
    concurrency bigint NOT NULL,
    beats bigint NOT NULL,
    started_at bigint NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE public.worker ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.worker_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_subject_key UNIQUE (subject);

ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_id_key UNIQUE (id);

ALTER TABLE ONLY public.article_index
    ADD CONSTRAINT article_index_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.article_signal
    ADD CONSTRAINT article_signal_pkey PRIMARY KEY (url);

ALTER TABLE ONLY public.article_text
    ADD CONSTRAINT article_text_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.article_ticker
    ADD CONSTRAINT article_ticker_pkey PRIMARY KEY (ticker, article);

ALTER TABLE ONLY public.article_vector
    ADD CONSTRAINT article_vector_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.balance
    ADD CONSTRAINT balance_pkey PRIMARY KEY (user_id, era);

ALTER TABLE ONLY public.brief
    ADD CONSTRAINT brief_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.budget
    ADD CONSTRAINT budget_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.bundle
    ADD CONSTRAINT bundle_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.conversation_turn
    ADD CONSTRAINT conversation_turn_job_key UNIQUE (job);

ALTER TABLE ONLY public.conversation_turn
    ADD CONSTRAINT conversation_turn_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.current_bundle
    ADD CONSTRAINT current_bundle_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.fleet_deaths
    ADD CONSTRAINT fleet_deaths_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.subscriber
    ADD CONSTRAINT follower_pkey PRIMARY KEY (sharedJob, job);

ALTER TABLE ONLY public.holding
    ADD CONSTRAINT holding_pkey PRIMARY KEY (user_id, ticker);

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_id_key UNIQUE (id);

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.joinable
    ADD CONSTRAINT joinable_pkey PRIMARY KEY (user_id, unique_key);

ALTER TABLE ONLY public.kind_limit
    ADD CONSTRAINT kind_limit_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.user_concurrency
    ADD CONSTRAINT kind_share_pkey PRIMARY KEY (kind, user_id);

ALTER TABLE ONLY public.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (worker, job);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_operation_key UNIQUE (operation);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (entry);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.model_call
    ADD CONSTRAINT model_call_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.news_source
    ADD CONSTRAINT news_source_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_kind_source_part_key UNIQUE (kind, source, part);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.passage_vector
    ADD CONSTRAINT passage_vector_pkey PRIMARY KEY (digest, model);

ALTER TABLE ONLY public.account_owner
    ADD CONSTRAINT account_owner_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.rate_count
    ADD CONSTRAINT rate_count_pkey PRIMARY KEY (minute, user_id, bucket, broker);

ALTER TABLE ONLY public.ready
    ADD CONSTRAINT ready_pkey PRIMARY KEY (queue, rank, job);

ALTER TABLE ONLY public.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (run_at, job);

ALTER TABLE ONLY public.schedule_tick
    ADD CONSTRAINT schedule_tick_pkey PRIMARY KEY (schedule);

ALTER TABLE ONLY public.serial_line
    ADD CONSTRAINT serial_line_pkey PRIMARY KEY (user_id, concurrency_key, job);

ALTER TABLE ONLY public.step
    ADD CONSTRAINT step_pkey PRIMARY KEY (job, name, occurrence);

ALTER TABLE ONLY public.story_explanation
    ADD CONSTRAINT story_explanation_pkey PRIMARY KEY (story, holdings, version);

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_story_ticker_key UNIQUE (story, ticker);

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_key_key UNIQUE (key);

ALTER TABLE ONLY public.story_member
    ADD CONSTRAINT story_member_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.turn
    ADD CONSTRAINT turn_pkey PRIMARY KEY (user_id, queue, era);

ALTER TABLE ONLY public.watchlist
    ADD CONSTRAINT watchlist_pkey PRIMARY KEY (user_id, ticker);

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_id_key UNIQUE (id);

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (number);

CREATE INDEX article_by_arrival ON public.article USING btree (fetched_at);

CREATE INDEX article_by_category ON public.article USING btree (category, published_at, id COLLATE "C") WHERE (duplicate_of IS NULL);

CREATE INDEX article_by_day ON public.article USING btree (day) WHERE ((day IS NOT NULL) AND (duplicate_of IS NULL));

CREATE INDEX article_by_time ON public.article USING btree (published_at, id COLLATE "C") WHERE (duplicate_of IS NULL);

CREATE INDEX article_by_url ON public.article USING hash (url);

CREATE INDEX article_by_words ON public.article_index USING gin (words);

CREATE INDEX article_signal_by_age ON public.article_signal USING btree (made_at);

CREATE INDEX article_ticker_by_article ON public.article_ticker USING btree (article);

CREATE INDEX conversation_turn_by_conversation ON public.conversation_turn USING btree (user_id, conversation, number);

CREATE INDEX document_kept_until ON public.document USING btree (kept_until);

CREATE INDEX subscriber_deadline ON public.subscriber USING btree (deadline);

CREATE UNIQUE INDEX job_idempotency ON public.job USING btree (idempotency_key, user_id) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX job_of_user ON public.job USING btree (user_id, id);

CREATE UNIQUE INDEX user_concurrency_turn ON public.user_concurrency USING btree (kind, turn) WHERE (turn IS NOT NULL);

CREATE INDEX lease_deadline ON public.lease USING btree (deadline);

CREATE UNIQUE INDEX ledger_closed_hold ON public.ledger USING btree (hold) WHERE (hold IS NOT NULL);

CREATE INDEX model_call_created ON public.model_call USING btree (created_at);

CREATE INDEX model_call_of_user ON public.model_call USING btree (user_id, created_at) INCLUDE (cost_micro_dollars);

CREATE INDEX passage_by_digest ON public.passage USING btree (digest, owner);

CREATE INDEX passage_by_owner ON public.passage USING btree (owner, ((written_at = 0)), written_at, number);

CREATE INDEX passage_by_terms ON public.passage USING gin (index);

CREATE INDEX passage_of_story_by_age ON public.passage USING btree (written_at) WHERE (kind = 'story'::text);

CREATE INDEX ready_deadline ON public.ready USING btree (deadline);

CREATE INDEX ready_of_user ON public.ready USING btree (user_id, queue, priority DESC, job);

CREATE INDEX ready_unordered ON public.ready USING btree (queue, user_id) WHERE unordered;

CREATE INDEX schedule_deadline ON public.schedule USING btree (deadline);

CREATE INDEX serial_line_deadline ON public.serial_line USING btree (deadline) WHERE (NOT holds);

CREATE UNIQUE INDEX serial_line_holder ON public.serial_line USING btree (user_id, concurrency_key) WHERE holds;

CREATE INDEX story_by_day ON public.story USING btree (day);

CREATE INDEX story_by_merger ON public.story USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX story_explanation_age ON public.story_explanation USING btree (created_at);

CREATE INDEX story_group_shown ON public.story_group USING btree (ticker, day) WHERE is_shown;

CREATE INDEX story_member_by_story ON public.story_member USING btree (story, place);

CREATE INDEX waiting_deadline ON public.waiting USING btree (deadline);

CREATE UNIQUE INDEX waiting_of_user ON public.waiting USING btree (kind, user_id, priority DESC, job);

CREATE TRIGGER article_indexed AFTER INSERT ON public.article FOR EACH ROW EXECUTE FUNCTION public.index_article();

CREATE TRIGGER article_text_indexed AFTER INSERT ON public.article_text FOR EACH ROW EXECUTE FUNCTION public.index_article_text();

CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

ALTER TABLE ONLY public.article_index
    ADD CONSTRAINT article_index_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_text
    ADD CONSTRAINT article_text_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_ticker
    ADD CONSTRAINT article_ticker_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_vector
    ADD CONSTRAINT article_vector_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.holding
    ADD CONSTRAINT holding_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.preferences(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.step
    ADD CONSTRAINT step_job_fkey FOREIGN KEY (job) REFERENCES public.job(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_story_fkey FOREIGN KEY (story) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.story_member
    ADD CONSTRAINT story_member_story_fkey FOREIGN KEY (story) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE public.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.balance ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.brief ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversation_turn ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.holding ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.model_call ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON public.account USING ((id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.balance USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.brief USING ((user_id = ANY (ARRAY[( SELECT public.current_user_id() AS current_user_id), ('-1'::integer)::bigint])));

CREATE POLICY own ON public.conversation_turn USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.holding USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.job USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.ledger USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.model_call USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.passage USING (((owner IS NULL) OR (owner = ( SELECT public.current_user_id() AS current_user_id))));

CREATE POLICY own ON public.preferences USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.serial_line USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.step USING ((EXISTS ( SELECT
   FROM public.job
  WHERE (job.number = step.job))));

CREATE POLICY own ON public.watchlist USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

ALTER TABLE public.passage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.preferences ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.serial_line ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.step ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.watchlist ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO dossier_reader;

GRANT SELECT ON TABLE public.balance TO dossier_reader;

GRANT SELECT ON TABLE public.job TO dossier_reader;

GRANT SELECT ON TABLE public.account TO dossier_reader;

GRANT SELECT ON TABLE public.brief TO dossier_reader;

GRANT SELECT ON TABLE public.conversation_turn TO dossier_reader;

GRANT SELECT ON TABLE public.holding TO dossier_reader;

GRANT SELECT ON TABLE public.serial_line TO dossier_reader;

GRANT SELECT ON TABLE public.job_record TO dossier_reader;

GRANT SELECT ON TABLE public.ledger TO dossier_reader;

GRANT SELECT ON TABLE public.model_call TO dossier_reader;

GRANT SELECT ON TABLE public.passage TO dossier_reader;

GRANT SELECT ON TABLE public.preferences TO dossier_reader;

GRANT SELECT ON TABLE public.step TO dossier_reader;

GRANT SELECT ON TABLE public.watchlist TO dossier_reader;

