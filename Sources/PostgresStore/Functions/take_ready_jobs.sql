-- Removes jobs from a queue, from a position on, and returns their numbers in the order of their positions.
--
-- It has no settings of its own: its only caller, `claim_jobs`, has set them.
--
-- Jobs of the kinds and bundles in `p_unable_…` stay. The arrays are usually empty, and then no row of a job is read.
CREATE OR REPLACE FUNCTION take_ready_jobs(
    p_queue queue, p_limit bigint, p_from bigint, p_unable_kinds text[], p_unable_bundles text[], OUT jobs bigint[],
    OUT reached bigint
)
LANGUAGE plpgsql
AS $$
DECLARE
    v_users bigint[];
    v_positions bigint[];
    v_jobs bigint[];
    v_is_partial boolean := cardinality(p_unable_kinds) + cardinality(p_unable_bundles) > 0;
BEGIN
    IF v_is_partial OR EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.unordered) THEN
        SELECT array_agg(s.user_id), array_agg(s.position), array_agg(s.job) INTO v_users, v_positions, v_jobs
        FROM (
            SELECT r.user_id, r.position, r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.position >= p_from
                AND (NOT v_is_partial OR can_run(r.job, p_unable_kinds, p_unable_bundles))
            ORDER BY r.queue, r.position, r.job
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ) AS s;
        IF v_jobs IS NULL THEN
            RETURN;
        END IF;
        v_jobs := order_ready_jobs(p_queue, v_users, v_positions, v_jobs, p_unable_kinds, p_unable_bundles);
        WITH taken AS (
            DELETE FROM ready AS r
            USING unnest(v_positions, v_jobs) WITH ORDINALITY AS a (position, job, place)
            WHERE r.queue = p_queue AND r.position = a.position AND r.job = a.job
            RETURNING a.place, r.position, r.job
        )
        SELECT array_agg(t.job ORDER BY t.place), max(t.position) INTO jobs, reached FROM taken AS t;
        RETURN;
    END IF;
    WITH taken AS (
        DELETE FROM ready
        WHERE ctid = ANY (ARRAY(
            SELECT r.ctid
            FROM ready AS r
            WHERE r.queue = p_queue AND r.position >= p_from
            ORDER BY r.queue, r.position, r.job
            LIMIT p_limit
            FOR UPDATE SKIP LOCKED
        ))
        RETURNING position, job
    )
    SELECT array_agg(t.job ORDER BY t.position, t.job), max(t.position) INTO jobs, reached FROM taken AS t;
END
$$;

-- Whether a worker that cannot run some kinds and bundles can run a job.
CREATE OR REPLACE FUNCTION can_run(p_job bigint, p_unable_kinds text[], p_unable_bundles text[]) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    RETURN (
        SELECT NOT (j.kind = ANY (p_unable_kinds) OR j.bundle = ANY (p_unable_bundles))
        FROM job AS j
        WHERE j.number = p_job);
END
$$;

-- Assigns locked positions to the best ready jobs of their users, by priority, then by age.
--
-- The jobs that had these positions get those of the better jobs. Takes the positions in ascending order and returns
-- the jobs that now have them, in the same order.
CREATE OR REPLACE FUNCTION order_ready_jobs(
    p_queue queue, p_users bigint[], p_positions bigint[], p_jobs bigint[], p_unable_kinds text[],
    p_unable_bundles text[]
) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_user record;
    v_best bigint[];
    v_all bigint[];
    v_positions bigint[];
    v_taken bigint[] := p_jobs;
    v_index integer;
    v_is_partial boolean := cardinality(p_unable_kinds) + cardinality(p_unable_bundles) > 0;
BEGIN
    FOR v_user IN
        SELECT
            a.user_id, array_agg(a.job ORDER BY a.place) AS jobs, array_agg(a.position ORDER BY a.place) AS positions,
            array_agg(a.place ORDER BY a.place) AS places
        FROM unnest(p_users, p_positions, p_jobs) WITH ORDINALITY AS a (user_id, position, job, place)
        WHERE EXISTS (SELECT FROM ready AS r WHERE r.queue = p_queue AND r.user_id = a.user_id AND r.unordered)
        GROUP BY 1
    LOOP
        SELECT array_agg(b.job ORDER BY b.priority DESC, b.job) INTO v_best
        FROM (
            SELECT r.job, r.priority
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id
                AND (NOT v_is_partial OR can_run(r.job, p_unable_kinds, p_unable_bundles))
            ORDER BY r.priority DESC, r.job
            LIMIT cardinality(v_user.jobs)
            FOR UPDATE SKIP LOCKED
        ) AS b;
        v_positions := v_user.positions || ARRAY(
            SELECT r.position
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_best)
                AND NOT r.job = ANY (v_user.jobs)
            ORDER BY r.position
        );
        v_all := v_best || ARRAY(
            SELECT r.job
            FROM ready AS r
            WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = ANY (v_user.jobs)
                AND NOT r.job = ANY (v_best)
            ORDER BY r.priority DESC, r.job
        );
        UPDATE ready AS r SET position = a.position, unordered = true
        FROM unnest(v_all, v_positions) AS a (job, position)
        WHERE r.queue = p_queue AND r.user_id = v_user.user_id AND r.job = a.job
            AND (r.position <> a.position OR NOT r.job = ANY (v_best));
        FOR v_index IN 1 .. cardinality(v_best) LOOP
            v_taken[v_user.places[v_index]] := v_best[v_index];
        END LOOP;
    END LOOP;
    RETURN v_taken;
END
$$;
