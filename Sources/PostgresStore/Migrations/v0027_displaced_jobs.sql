-- Where a user has jobs out of order, the slots that they get here go to the best of their ready jobs, by priority,
-- then by age; the jobs that stood in these slots get the others'. The slots are locked.
--
-- A job that is moved to another's slot is out of order from then on: an older one may stand behind younger ones.
CREATE OR REPLACE FUNCTION put_best_first(p_lane lane, p_users bigint[], p_ranks bigint[], p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_user record;
    v_best bigint[];
    v_all bigint[];
    v_ranks bigint[];
BEGIN
    FOR v_user IN
        SELECT a.user_id, array_agg(a.job) AS jobs, array_agg(a.rank) AS ranks
        FROM unnest(p_users, p_ranks, p_jobs) AS a (user_id, rank, job)
        WHERE EXISTS (SELECT FROM ready AS r WHERE r.lane = p_lane AND r.user_id = a.user_id AND r.unordered)
        GROUP BY 1
    LOOP
        SELECT array_agg(b.job ORDER BY b.priority DESC, b.job) INTO v_best
        FROM (
            SELECT r.job, r.priority
            FROM ready AS r
            WHERE r.lane = p_lane AND r.user_id = v_user.user_id
            ORDER BY r.priority DESC, r.job
            LIMIT cardinality(v_user.jobs)
            FOR UPDATE SKIP LOCKED
        ) AS b;
        SELECT array_agg(r.rank ORDER BY r.rank) INTO v_ranks
        FROM ready AS r
        WHERE r.lane = p_lane AND r.user_id = v_user.user_id
            AND (r.job = ANY (v_best) OR r.job = ANY (v_user.jobs));
        v_all := v_best || ARRAY(
            SELECT r.job
            FROM ready AS r
            WHERE r.lane = p_lane AND r.user_id = v_user.user_id AND r.job = ANY (v_user.jobs)
                AND NOT r.job = ANY (v_best)
            ORDER BY r.priority DESC, r.job
        );
        UPDATE ready AS r SET rank = a.rank, unordered = true
        FROM unnest(v_all, v_ranks) AS a (job, rank)
        WHERE r.lane = p_lane AND r.user_id = v_user.user_id AND r.job = a.job AND r.rank <> a.rank;
    END LOOP;
END
$$;
