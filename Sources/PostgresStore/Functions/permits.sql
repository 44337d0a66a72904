-- Permits of kinds with limits. A job holds a permit while it is ready or runs; without a free permit it is in
-- `waiting`.

-- Locks the permits of kinds: all permits of a kind with a fleet limit, otherwise those of the users.
CREATE OR REPLACE FUNCTION lock_permits(p_kinds text[], p_users bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    PERFORM FROM kind_limit AS k WHERE k.kind = ANY (p_kinds) AND k.fleet IS NULL ORDER BY k.kind FOR SHARE;
    PERFORM FROM kind_limit AS k WHERE k.kind = ANY (p_kinds) AND k.fleet IS NOT NULL ORDER BY k.kind FOR UPDATE;
    PERFORM pg_advisory_xact_lock(s.hash)
    FROM (
        SELECT DISTINCT hashtextextended('permit ' || a.kind, a.user_id) AS hash
        FROM unnest(p_kinds, p_users) AS a (kind, user_id)
        ORDER BY 1
    ) AS s;
END
$$;

-- Locks the permits that jobs hold or need, and those of the later jobs with the same concurrency key.
CREATE OR REPLACE FUNCTION lock_permits_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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
            SELECT * FROM serialized_job AS s
            WHERE s.user_id = j.user_id AND s.concurrency_key = j.concurrency_key
            OFFSET 0
        ) AS l
        CROSS JOIN LATERAL (SELECT * FROM job WHERE number = l.job OFFSET 0) AS k
        WHERE k.limited
    ) AS n;
    IF v_kinds IS NOT NULL THEN
        PERFORM lock_permits(v_kinds, v_users);
    END IF;
END
$$;

-- True when a job of a limited kind holds a permit: while it is ready or runs.
CREATE OR REPLACE FUNCTION holds_permit(p_job job) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    RETURN p_job.limited AND (
        p_job.status = 'processing'
        OR (p_job.status = 'pending' AND NOT p_job.blocked AND NOT p_job.waiting AND p_job.run_at IS NULL));
END
$$;

-- Adds to the counts of permits and waiting jobs of a user and a kind.
CREATE OR REPLACE FUNCTION add_to_user_concurrency(
    p_kind text, p_user bigint, p_taken bigint, p_waiting bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    INSERT INTO user_concurrency AS s (kind, user_id, taken, waiting)
    VALUES (p_kind, p_user, greatest(p_taken, 0), greatest(p_waiting, 0))
    ON CONFLICT (kind, user_id) DO UPDATE SET taken = s.taken + p_taken, waiting = s.waiting + p_waiting;
    UPDATE kind_limit SET taken = taken + p_taken WHERE kind = p_kind AND fleet IS NOT NULL AND p_taken <> 0;
END
$$;

-- Takes a permit for a user, and returns false when none is free.
CREATE OR REPLACE FUNCTION take_permit(p_kind text, p_user bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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
    PERFORM add_to_user_concurrency(p_kind, p_user, 1, 0);
    RETURN true;
END
$$;

-- Gives a user a position in the rotation for fleet permits while the user can use one, and removes it otherwise.
--
-- Deletes the row of a user without permits and waiting jobs.
CREATE OR REPLACE FUNCTION take_position(p_kind text, p_user bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_limit kind_limit;
    v_concurrency user_concurrency;
    v_is_eligible boolean;
    v_position bigint;
BEGIN
    SELECT * INTO v_concurrency FROM user_concurrency WHERE kind = p_kind AND user_id = p_user;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_concurrency.taken = 0 AND v_concurrency.waiting = 0 THEN
        DELETE FROM user_concurrency WHERE kind = p_kind AND user_id = p_user;
        RETURN;
    END IF;
    SELECT * INTO v_limit FROM kind_limit WHERE kind = p_kind;
    v_is_eligible := v_limit.fleet IS NOT NULL AND v_concurrency.waiting > 0
        AND coalesce(v_concurrency.taken < v_limit.per_user, true);
    IF v_is_eligible = (v_concurrency.position IS NOT NULL) THEN
        RETURN;
    END IF;
    IF v_is_eligible THEN
        UPDATE kind_limit SET last_position = last_position + 1 WHERE kind = p_kind
        RETURNING last_position INTO v_position;
    END IF;
    UPDATE user_concurrency SET position = v_position WHERE kind = p_kind AND user_id = p_user;
END
$$;

-- Makes a user's best waiting job ready, with a permit, or parks it while a pause holds it.
CREATE OR REPLACE FUNCTION promote_best(p_kind text, p_user bigint, p_now bigint) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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
    SELECT * INTO v_job FROM job WHERE number = v_best;
    IF stops_for_pause(v_job.kind, v_job.queue) THEN
        PERFORM add_to_user_concurrency(p_kind, p_user, 0, -1);
        PERFORM park_job(v_job, p_now);
        RETURN true;
    END IF;
    PERFORM add_to_user_concurrency(p_kind, p_user, 1, -1);
    UPDATE job SET waiting = false, revision = revision + 1, history = add_place(history, p_now, 'ready')
    WHERE number = v_best
    RETURNING * INTO v_job;
    PERFORM enter_ready(v_job);
    RETURN true;
END
$$;

-- Promotes a user's waiting jobs up to the user's limit.
CREATE OR REPLACE FUNCTION promote_user(
    p_kind text, p_user bigint, p_per_user bigint, p_now bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    WHILE EXISTS (
        SELECT
        FROM user_concurrency AS s
        WHERE s.kind = p_kind AND s.user_id = p_user AND s.waiting > 0 AND coalesce(s.taken < p_per_user, true)
    ) LOOP
        EXIT WHEN NOT promote_best(p_kind, p_user, p_now);
    END LOOP;
    PERFORM take_position(p_kind, p_user);
END
$$;

-- Promotes waiting jobs up to the fleet's limit, users in rotation.
CREATE OR REPLACE FUNCTION promote_by_position(p_kind text, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_user bigint;
BEGIN
    WHILE EXISTS (SELECT FROM kind_limit AS k WHERE k.kind = p_kind AND k.taken < k.fleet) LOOP
        SELECT s.user_id INTO v_user
        FROM user_concurrency AS s
        WHERE s.kind = p_kind AND s.position IS NOT NULL
        ORDER BY s.kind, s.position
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        EXIT WHEN NOT promote_best(p_kind, v_user, p_now);
        -- Moves the user to the end of the rotation.
        UPDATE user_concurrency SET position = NULL WHERE kind = p_kind AND user_id = v_user;
        PERFORM take_position(p_kind, v_user);
    END LOOP;
END
$$;

-- Gives the permit that a job has freed to the next waiting job. The job is given as it was while it held the permit.
CREATE OR REPLACE FUNCTION pass_on_permit(p_job job, p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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
        PERFORM promote_user(p_job.kind, p_job.user_id, v_limit.per_user, p_now);
    ELSE
        PERFORM promote_by_position(p_job.kind, p_now);
    END IF;
END
$$;
