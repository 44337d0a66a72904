-- Webhooks. The service's own jobs (user -1) are nobody's; the endpoints of user -2 hear of all others.

-- Stores the ends of jobs for the endpoints that hear of them. The caller has ended the jobs in this transaction. Nobody
-- hears of the jobs of a user who is being erased.
CREATE OR REPLACE FUNCTION store_webhooks(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
BEGIN
    INSERT INTO webhook_delivery (
        event, endpoint, user_id, type, job, kind, about, error_code, credits, job_created_at, at, status, next_at,
        changed_at)
    SELECT
        'msg_' || replace(j.id::text, '-', '') || '_' || j.revision, e.number, e.user_id, 'job.' || j.status,
        j.id::text, j.kind, j.user_id, j.error_code, CASE j.status WHEN 'completed' THEN j.cost ELSE 0 END,
        j.created_at, j.completed_at, CASE WHEN e.enabled THEN 'pending' ELSE 'held' END,
        CASE WHEN e.enabled THEN j.completed_at END, j.completed_at
    FROM unnest(p_jobs) AS a (job)
    CROSS JOIN LATERAL (SELECT * FROM ONLY job WHERE number = a.job OFFSET 0) AS j
    JOIN webhook_endpoint AS e ON e.user_id IN (j.user_id, -2)
    WHERE j.user_id <> -1
        AND NOT EXISTS (SELECT FROM erasure AS r WHERE r.user_id = j.user_id)
        AND e.events & CASE j.status WHEN 'completed' THEN 1 WHEN 'failed' THEN 2 ELSE 4 END <> 0
    ORDER BY j.number, e.number;
END
$$;

-- Stores an endpoint, unless its owner has as many as p_most; the same key gives the endpoint that is there.
-- `state` is 'created', 'existing', 'conflict' or 'full'; only the first two have an id.
CREATE OR REPLACE FUNCTION create_webhook_endpoint(
    p_now bigint, p_id text, p_user bigint, p_url text, p_events bigint, p_description text, p_secrets text,
    p_key text, p_fingerprint text, p_most bigint, p_audit text
) RETURNS TABLE (state text, id text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_known webhook_endpoint%ROWTYPE;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('webhook endpoints', p_user));
    SELECT e.* INTO v_known
    FROM webhook_endpoint AS e
    WHERE e.user_id = p_user AND (e.idempotency_key = p_key OR e.id = p_id);
    IF FOUND THEN
        IF v_known.id <> p_id AND v_known.idempotency_fingerprint <> p_fingerprint THEN
            RETURN QUERY SELECT 'conflict', NULL::text;
        ELSE
            RETURN QUERY SELECT CASE v_known.id WHEN p_id THEN 'created' ELSE 'existing' END, v_known.id;
        END IF;
    ELSIF (SELECT count(*) FROM webhook_endpoint AS e WHERE e.user_id = p_user) >= p_most THEN
        RETURN QUERY SELECT 'full', NULL::text;
    ELSE
        INSERT INTO webhook_endpoint (
            id, user_id, url, events, description, secrets, created_at, idempotency_key, idempotency_fingerprint)
        VALUES (
            p_id, p_user, p_url, p_events, p_description, p_secrets, coalesce(p_now, store_now()), p_key,
            p_fingerprint);
        IF p_audit IS NOT NULL THEN
            PERFORM write_audit(p_now, p_audit);
        END IF;
        RETURN QUERY SELECT 'created', p_id;
    END IF;
END
$$;

-- Changes an endpoint; NULL leaves a member as it is. A disabled endpoint's open deliveries are held.
CREATE OR REPLACE FUNCTION change_webhook_endpoint(
    p_now bigint, p_id text, p_user bigint, p_url text, p_events bigint, p_description text, p_enabled bigint,
    p_audit text
) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
BEGIN
    UPDATE webhook_endpoint AS e
    SET url = coalesce(p_url, e.url),
        events = coalesce(p_events, e.events),
        description = CASE WHEN p_description IS NULL THEN e.description ELSE nullif(p_description, '') END,
        enabled = coalesce(p_enabled = 1, e.enabled),
        disabled_because = CASE p_enabled WHEN 1 THEN NULL WHEN 0 THEN coalesce(e.disabled_because, 'user')
            ELSE e.disabled_because END,
        disabled_at = CASE p_enabled WHEN 1 THEN NULL WHEN 0 THEN coalesce(e.disabled_at, v_now)
            ELSE e.disabled_at END,
        failing_since = CASE WHEN p_enabled = 1 AND NOT e.enabled THEN NULL ELSE e.failing_since END
    WHERE e.id = p_id AND e.user_id = p_user;
    IF FOUND AND p_audit IS NOT NULL THEN
        PERFORM write_audit(p_now, p_audit);
    END IF;
    UPDATE webhook_delivery AS d
    SET status = 'held', next_at = NULL, changed_at = v_now
    FROM webhook_endpoint AS e
    WHERE e.id = p_id AND e.user_id = p_user AND NOT e.enabled AND d.endpoint = e.number AND d.status = 'pending';
END
$$;

-- Leases due deliveries to a worker: at most p_each at once for an endpoint and p_most in all, from the endpoint after
-- p_after on. Ends and changes of endpoints that ran beside each other may leave deliveries of an endpoint that is gone
-- or disabled; they go, or are held.
CREATE OR REPLACE FUNCTION claim_webhooks(
    p_now bigint, p_lease text, p_lease_time bigint, p_most bigint, p_each bigint, p_after bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_left bigint := p_most;
    v_place bigint := p_after;
    v_wrapped boolean := false;
    v_endpoint webhook_endpoint%ROWTYPE;
    v_number bigint;
    v_count bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('webhook claims', 0));
    WHILE v_left > 0 LOOP
        SELECT min(d.endpoint) INTO v_number FROM webhook_delivery AS d WHERE d.status = 'pending' AND d.endpoint > v_place;
        IF v_number IS NULL OR (v_wrapped AND v_number > p_after) THEN
            EXIT WHEN v_wrapped;
            v_wrapped := true;
            v_place := -1;
            CONTINUE;
        END IF;
        v_place := v_number;
        SELECT e.* INTO v_endpoint FROM webhook_endpoint AS e WHERE e.number = v_number;
        IF NOT FOUND THEN
            DELETE FROM webhook_delivery AS d WHERE d.endpoint = v_number AND d.status = 'pending';
            CONTINUE;
        END IF;
        IF NOT v_endpoint.enabled THEN
            UPDATE webhook_delivery AS d SET status = 'held', next_at = NULL, changed_at = v_now
            WHERE d.endpoint = v_number AND d.status = 'pending';
            CONTINUE;
        END IF;
        UPDATE webhook_delivery AS d
        SET lease = p_lease, next_at = v_now + p_lease_time
        WHERE d.number = ANY (ARRAY(
            SELECT w.number
            FROM webhook_delivery AS w
            WHERE w.endpoint = v_number AND w.status = 'pending' AND w.next_at <= v_now
            ORDER BY w.next_at, w.number
            LIMIT greatest(0, least(v_left, p_each - (
                SELECT count(*) FROM webhook_delivery AS l
                WHERE l.endpoint = v_number AND l.lease IS NOT NULL AND l.next_at > v_now)))
            FOR UPDATE));
        GET DIAGNOSTICS v_count = ROW_COUNT;
        v_left := v_left - v_count;
    END LOOP;
END
$$;

-- Records a try. p_outcome is 'delivered', 'pending' for another try after p_pause, or 'failed'. Returns the id of the
-- endpoint and the reason when this try disabled it.
CREATE OR REPLACE FUNCTION finish_webhook(
    p_now bigint, p_number bigint, p_lease text, p_outcome text, p_pause bigint, p_tries text, p_gone bigint,
    p_disable_after bigint, p_status bigint, p_error text
) RETURNS TABLE (id text, disabled_because text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_before webhook_endpoint%ROWTYPE;
    v_endpoint webhook_endpoint%ROWTYPE;
BEGIN
    SELECT d.endpoint INTO v_number FROM webhook_delivery AS d WHERE d.number = p_number AND d.lease = p_lease;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT e.* INTO v_before FROM webhook_endpoint AS e WHERE e.number = v_number FOR UPDATE;
    IF p_outcome = 'delivered' THEN
        UPDATE webhook_endpoint AS e SET last_success_at = v_now, failing_since = NULL WHERE e.number = v_number
        RETURNING e.* INTO v_endpoint;
    ELSE
        UPDATE webhook_endpoint AS e
        SET failing_since = coalesce(e.failing_since, v_now), last_failure_at = v_now, last_failure_status = p_status,
            last_failure_error = p_error,
            disabled_because = CASE
                WHEN NOT e.enabled THEN e.disabled_because
                WHEN p_gone = 1 THEN 'gone'
                WHEN coalesce(e.failing_since, v_now) <= v_now - p_disable_after THEN 'failing'
            END,
            enabled = e.enabled AND p_gone = 0 AND coalesce(e.failing_since, v_now) > v_now - p_disable_after,
            disabled_at = CASE
                WHEN NOT e.enabled THEN e.disabled_at
                WHEN p_gone = 1 OR coalesce(e.failing_since, v_now) <= v_now - p_disable_after THEN v_now
            END
        WHERE e.number = v_number
        RETURNING e.* INTO v_endpoint;
    END IF;
    UPDATE webhook_delivery AS d
    SET status = CASE
            WHEN p_outcome <> 'pending' THEN p_outcome
            WHEN v_endpoint.enabled AND d.status = 'pending' THEN 'pending'
            ELSE 'held'
        END,
        next_at = CASE WHEN p_outcome = 'pending' AND v_endpoint.enabled AND d.status = 'pending' THEN v_now + p_pause END,
        attempts = d.attempts + 1, tries = p_tries, changed_at = v_now, lease = NULL
    WHERE d.number = p_number;
    IF v_before.enabled AND NOT v_endpoint.enabled THEN
        UPDATE webhook_delivery AS d SET status = 'held', next_at = NULL, changed_at = v_now
        WHERE d.endpoint = v_number AND d.status = 'pending';
        RETURN QUERY SELECT v_endpoint.id, v_endpoint.disabled_because;
    END IF;
END
$$;
