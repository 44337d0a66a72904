-- Concurrency keys: of a user's unfinished jobs with one key, one runs or can run, and the others are blocked.

-- Locks concurrency keys, in one order for all transactions and before any row is locked.
CREATE OR REPLACE FUNCTION lock_concurrency_keys(p_users bigint[], p_keys text[]) RETURNS void
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

-- Locks the concurrency keys of jobs.
CREATE OR REPLACE FUNCTION lock_concurrency_keys_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM serialized_job) THEN
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

-- Removes jobs from `serialized_job` and enqueues the next job of each key. The keys are locked.
CREATE OR REPLACE FUNCTION pass_on_concurrency_keys(p_jobs bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_left record;
    v_next job;
BEGIN
    FOR v_left IN
        WITH gone AS (
            DELETE FROM serialized_job AS l
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
            -- The next job of the key now waits for another job.
            UPDATE job SET revision = revision + 1
            WHERE number = (
                SELECT l.job
                FROM serialized_job AS l
                WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND NOT l.holds
                    AND l.job > v_left.job
                ORDER BY l.job
                LIMIT 1
            );
            CONTINUE;
        END IF;
        UPDATE serialized_job SET holds = true
        WHERE user_id = v_left.user_id AND concurrency_key = v_left.concurrency_key AND job = (
            SELECT min(l.job)
            FROM serialized_job AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key
        );
        CONTINUE WHEN NOT FOUND;
        UPDATE job AS j
        SET blocked = false, run_at = CASE WHEN j.run_at > p_now THEN j.run_at END, revision = j.revision + 1,
            history = CASE
                WHEN j.run_at > p_now THEN add_place(j.history, p_now, 'scheduled', j.run_at, 'scheduled')
                ELSE add_place(j.history, p_now, 'ready')
            END
        WHERE j.number = (
            SELECT l.job
            FROM serialized_job AS l
            WHERE l.user_id = v_left.user_id AND l.concurrency_key = v_left.concurrency_key AND l.holds
        )
        RETURNING * INTO v_next;
        PERFORM enqueue_job(v_next, v_next.run_at, p_now);
    END LOOP;
END
$$;
