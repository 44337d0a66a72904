-- Where a user has jobs out of order, the slots that they get go to the best of their ready jobs. Two things change: a
-- job that was moved to another's slot is out of order from then on, since an older one may stand behind younger ones;
-- and what is taken is said job by job, since two slots of one user may have the same rank.
DROP FUNCTION put_best_first(queue, bigint[], bigint[], bigint[]);

-- Gives slots to the best of their users' ready jobs, by priority, then by age; the jobs that stood in them get the
-- others'. The slots are locked and in the order of their ranks. The jobs that now stand in them, in the same order.
CREATE FUNCTION put_best_first(p_queue queue, p_users bigint[], p_ranks bigint[], p_jobs bigint[]) RETURNS bigint[]
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
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

-- Takes up to so many ready jobs of a lane out of it, from a rank on: their numbers, in the order of their slots. The
-- settings for its plans are those of `claim_jobs`, which calls it.
CREATE OR REPLACE FUNCTION take_ready(
    p_queue queue, p_slots bigint, p_from bigint, OUT jobs bigint[], OUT reached bigint
)
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
