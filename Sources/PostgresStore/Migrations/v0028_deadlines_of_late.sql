-- Fails jobs whose deadline passed within the last so many milliseconds; NULL is whenever. Rows of jobs that have ended
-- stay in the indexes of deadlines while a transaction is held open, and who looks every second must not go through all
-- of them each time.
CREATE FUNCTION expire_jobs(
    p_now bigint, p_window bigint, p_limit bigint, p_code text, p_message text, p_user_message text
) RETURNS TABLE (id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
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

-- Who knows of no window.
CREATE OR REPLACE FUNCTION expire_jobs(
    p_now bigint, p_limit bigint, p_code text, p_message text, p_user_message text
) RETURNS TABLE (id uuid)
LANGUAGE sql
AS $$
    SELECT e.id FROM expire_jobs(p_now, NULL::bigint, p_limit, p_code, p_message, p_user_message) AS e
$$;
