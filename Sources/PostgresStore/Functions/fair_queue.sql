-- The fair queue: ready jobs are claimed in the order of their positions, and each user's jobs get consecutive ones, so
-- that users with long queues do not delay the others.

-- Returns the position that a queue has reached.
CREATE OR REPLACE FUNCTION queue_head(p_queue queue) RETURNS bigint
LANGUAGE plpgsql
AS $$
BEGIN
    IF p_queue = 'interactive' THEN
        RETURN (SELECT s.last_value FROM queue_head_interactive AS s);
    END IF;
    RETURN (SELECT s.last_value FROM queue_head_background AS s);
END
$$;

-- Gives each user as many further positions in a queue as the user occurs in `p_users`, after the user's last position
-- and not before the queue's head.
CREATE OR REPLACE FUNCTION advance_positions(
    p_users bigint[], p_queues queue[], p_interactive bigint, p_background bigint
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_asked bigint;
    v_taken bigint;
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT
            a.*, n.bucket,
            CASE a.queue WHEN 'interactive' THEN p_interactive ELSE p_background END + a.places - 1 AS first_position
        FROM (
            SELECT a.user_id, a.queue, count(*) AS places
            FROM unnest(p_users, p_queues) AS a (user_id, queue)
            GROUP BY 1, 2
            ORDER BY 1, 2
        ) AS a
        LEFT JOIN LATERAL (
            SELECT n.bucket FROM user_position AS n WHERE n.user_id = a.user_id AND n.queue = a.queue
            ORDER BY n.bucket DESC LIMIT 1
        ) AS n ON true
    ), taken AS (
        UPDATE user_position AS t
        SET position = greatest(t.position + a.places, a.first_position), changes = t.changes + 1,
            bucket = (t.changes + 1) / 16
        FROM asked AS a
        WHERE t.user_id = a.user_id AND t.queue = a.queue AND t.bucket = a.bucket
        RETURNING 1
    ), begun AS (
        INSERT INTO user_position (user_id, queue, position)
        SELECT a.user_id, a.queue, a.first_position FROM asked AS a WHERE a.bucket IS NULL
    )
    SELECT (SELECT count(*) FROM asked AS a WHERE a.bucket IS NOT NULL), (SELECT count(*) FROM taken)
    INTO v_asked, v_taken;
    IF v_taken < v_asked THEN
        RAISE EXCEPTION 'a position has moved to its next bucket' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

-- Makes a job ready, with a further position for its user.
--
-- A job that returns from an earlier run gets one too, since each run is a turn of its user. The user's best job takes
-- the user's first position, so a returning job does not wait behind later jobs of its user.
CREATE OR REPLACE FUNCTION enter_ready(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_position bigint := queue_head(p_job.queue);
BEGIN
    PERFORM advance_positions(ARRAY[p_job.user_id], ARRAY[p_job.queue], v_position, v_position);
    SELECT t.position INTO v_position
    FROM user_position AS t
    WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
    ORDER BY t.bucket DESC
    LIMIT 1;
    INSERT INTO ready (queue, position, job, user_id, priority, deadline, unordered)
    VALUES (p_job.queue, v_position, p_job.number, p_job.user_id, p_job.priority, p_job.deadline, true);
END
$$;

-- Removes a ready job that will not run, and gives its position to its user's last job, so that the user's positions
-- have no gap. A position that the queue has passed stays empty, since claims may begin after it.
--
-- A row that another transaction has locked stays where it is: that transaction takes its job, or frees its position.
-- So nothing here waits for a claim or for another cancel.
CREATE OR REPLACE FUNCTION leave_ready(p_job job) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_freed bigint;
    v_last bigint;
    v_bucket bigint;
    v_moved ready;
BEGIN
    DELETE FROM ready AS r
    WHERE r.user_id = p_job.user_id AND r.queue = p_job.queue AND r.priority = p_job.priority
        AND r.job = p_job.number
    RETURNING r.position INTO v_freed;
    IF v_freed IS NULL OR v_freed < queue_head(p_job.queue) THEN
        RETURN;
    END IF;
    SELECT t.position, t.bucket INTO v_last, v_bucket
    FROM user_position AS t
    WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
    ORDER BY t.bucket DESC
    LIMIT 1;
    -- The upper bound spares the scan the index entries of positions that were freed before.
    SELECT l.* INTO v_moved
    FROM ready AS l
    WHERE l.user_id + 0 = p_job.user_id AND l.queue = p_job.queue AND l.position + 0 > v_freed
        AND l.position + 0 <= v_last
    ORDER BY l.position + 0 DESC
    LIMIT 1
    FOR UPDATE SKIP LOCKED;
    UPDATE ready AS r SET position = v_freed, unordered = true
    WHERE r.queue = v_moved.queue AND r.position = v_moved.position AND r.job = v_moved.job;
    UPDATE user_position AS t SET position = t.position - 1, changes = t.changes + 1, bucket = (t.changes + 1) / 16
    WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue AND t.bucket = v_bucket;
END
$$;
