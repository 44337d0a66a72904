-- Fails unfinished jobs whose deadline passed within the last `p_window` milliseconds, or at any time when it is NULL.
--
-- While a transaction stays open, the indexes of deadlines keep entries of jobs that have ended. The window spares the
-- check that runs every second from reading all of them.
--
-- `p_reasons` has the reasons to wait, and `p_reason_messages` beside them the messages for jobs that waited for them;
-- 'no_worker' is that of a ready job that was never claimed and that no other job joins.
CREATE OR REPLACE FUNCTION expire_jobs(
    p_now bigint, p_window bigint, p_limit bigint, p_code text, p_message text, p_user_message text,
    p_reasons text[] DEFAULT '{}', p_reason_messages text[] DEFAULT '{}'
) RETURNS TABLE (id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_from bigint := coalesce(v_now - p_window, 0);
    v_numbers bigint[];
    v_subscribers bigint[];
    v_locked bigint[];
    v_job job;
    v_reason text;
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
                SELECT s.job, s.deadline FROM scheduled AS s
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
                FROM serialized_job AS b
                WHERE b.deadline BETWEEN v_from AND v_now AND NOT b.holds
                ORDER BY b.deadline
                LIMIT p_limit
            )
            UNION ALL
            (
                SELECT s.job, s.deadline FROM subscriber AS s
                WHERE s.deadline BETWEEN v_from AND v_now
                ORDER BY s.deadline LIMIT p_limit
            )
        ) AS c
        ORDER BY c.deadline
        LIMIT p_limit
    ) AS l;
    IF v_numbers IS NULL THEN
        RETURN;
    END IF;
    PERFORM lock_concurrency_keys_of(v_numbers);
    PERFORM lock_permits_of(v_numbers);
    PERFORM lock_queue_rows_of(v_numbers);
    v_subscribers := ARRAY(
        SELECT j.number FROM job AS j WHERE j.number = ANY (v_numbers) AND j.subscribed_to IS NOT NULL
    );
    v_locked := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.subscribed_to IS NULL AND j.completed_at IS NULL AND (
            j.number = ANY (v_numbers)
            OR j.number = ANY (ARRAY(SELECT s.subscribed_to FROM job AS s WHERE s.number = ANY (v_subscribers))))
        ORDER BY j.id
        FOR UPDATE SKIP LOCKED
    );
    -- Ending a subscriber takes the lock of its shared job.
    v_numbers := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.completed_at IS NULL AND j.deadline <= v_now
            AND coalesce(j.subscribed_to, j.number) = ANY (v_locked)
    );
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    FOR v_job IN SELECT j.* FROM job AS j WHERE j.number = ANY (v_numbers) ORDER BY j.deadline, j.number LOOP
        -- An earlier job of this loop may have enqueued this one, or ended it.
        SELECT * INTO v_job FROM job AS j WHERE j.number = v_job.number;
        IF v_job.completed_at IS NULL THEN
            v_reason := CASE
                WHEN v_job.status <> 'pending' THEN NULL
                WHEN v_job.waits_for IS NOT NULL THEN split_part(v_job.waits_for, ' ', 1)
                WHEN v_job.epoch = 0 AND NOT v_job.blocked AND NOT v_job.waiting AND v_job.run_at IS NULL
                    AND v_job.subscribed_to IS NULL AND v_job.unique_key IS NULL
                THEN 'no_worker'
            END;
            PERFORM end_job(
                v_job, 'failed', NULL, NULL, p_code,
                coalesce(p_reason_messages[array_position(p_reasons, v_reason)], p_message), p_user_message, v_now);
        END IF;
        RETURN QUERY SELECT v_job.id;
    END LOOP;
END
$$;
