-- Returns jobs to pending without using up an attempt, and returns the number of valid leases.
CREATE OR REPLACE FUNCTION snooze_jobs(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_pauses bigint[], p_reasons text[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_place bigint;
    v_job job;
    v_count bigint := 0;
BEGIN
    PERFORM lock_permits_of(ARRAY(SELECT number FROM job WHERE id = ANY (p_ids)));
    PERFORM FROM job WHERE id = ANY (p_ids) ORDER BY id FOR UPDATE;
    -- In the order of users, in which all transactions lock positions.
    FOR v_place IN
        SELECT a.place
        FROM unnest(p_ids) WITH ORDINALITY AS a (id, place)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE id = a.id OFFSET 0) AS j
        ORDER BY j.user_id, j.queue, a.place
    LOOP
        SELECT * INTO v_job FROM job
        WHERE id = p_ids[v_place] AND epoch = p_epochs[v_place] AND status = 'processing';
        CONTINUE WHEN NOT FOUND;
        PERFORM release_job(v_job, p_pauses[v_place], v_job.deaths, v_now, p_reasons[v_place]);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END
$$;

-- Returns one job to pending without using up an attempt: the next run continues the interrupted one. Its worker was
-- last heard of at `p_seen` when it died.
CREATE OR REPLACE FUNCTION release_job(
    p_job job, p_pause bigint, p_deaths integer, p_now bigint, p_reason text DEFAULT NULL, p_seen bigint DEFAULT NULL
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_run_at bigint := CASE WHEN p_pause > 0 THEN p_now + p_pause END;
    v_is_postponed boolean := p_seen IS NULL AND (v_run_at IS NOT NULL OR p_reason IS NOT NULL);
BEGIN
    PERFORM dequeue_job(p_job);
    UPDATE job
    SET status = 'pending', run_at = v_run_at, waits_for = p_reason, interrupted = true, deaths = p_deaths,
        revision = revision + 1,
        history = history_of_returned(
            p_job, p_now, CASE WHEN v_is_postponed THEN 'postponed' ELSE 'interrupted' END, NULL, NULL, p_seen, v_run_at,
            coalesce(split_part(p_reason, ' ', 1), CASE WHEN v_is_postponed THEN 'batch' ELSE 'retry' END))
    WHERE number = p_job.number;
    PERFORM enqueue_job(p_job, v_run_at, p_now);
    PERFORM pass_on_permit(p_job, p_now);
END
$$;

-- Lets up to `p_limit` jobs go on that wait for `p_wait` and whose time would come within `p_within`: the next claim
-- moves them. Returns their number.
CREATE OR REPLACE FUNCTION wake_jobs(p_now bigint, p_wait text, p_within bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_found bigint[] := ARRAY(
        SELECT s.job FROM scheduled AS s
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = s.job OFFSET 0) AS j
        WHERE s.run_at > v_now AND s.run_at <= v_now + p_within AND j.waits_for = p_wait
        ORDER BY s.run_at, s.job
        LIMIT p_limit
    );
    v_jobs bigint[] := ARRAY(
        SELECT s.job FROM scheduled AS s
        WHERE s.run_at > v_now AND s.run_at <= v_now + p_within AND s.job = ANY (v_found)
        ORDER BY s.job
        FOR UPDATE SKIP LOCKED
    );
BEGIN
    PERFORM FROM job WHERE number = ANY (v_jobs) ORDER BY id FOR UPDATE;
    UPDATE job
    SET run_at = v_now, waits_for = NULL, revision = revision + 1, history = add_place(history, v_now, 'ready')
    WHERE number = ANY (v_jobs);
    UPDATE scheduled SET run_at = v_now
    WHERE run_at > v_now AND run_at <= v_now + p_within AND job = ANY (v_jobs);
    RETURN cardinality(v_jobs);
END
$$;
