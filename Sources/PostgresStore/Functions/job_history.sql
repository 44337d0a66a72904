-- The history of a job: a line of JSON for each event that its row does not tell. `JobHistory` reads the lines. The oldest
-- ones go when there are many.

-- A history with one more event.
CREATE OR REPLACE FUNCTION add_event(p_history text, p_event jsonb) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT CASE
        WHEN length(p_history) > 16000
        THEN substr(p_history, 8000 + position(E'\n' IN substr(p_history, 8000))) || E'\n'
        ELSE coalesce(p_history || E'\n', '')
    END || jsonb_strip_nulls(p_event)::text
$$;

-- A history with the entry of the job into a place of pending jobs.
CREATE OR REPLACE FUNCTION add_place(
    p_history text, p_now bigint, p_event text, p_until bigint DEFAULT NULL, p_code text DEFAULT NULL
) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT add_event(
        p_history, jsonb_build_object('at', p_now, 'event', p_event, 'until', p_until, 'code', p_code))
$$;

-- The history of a job whose run has ended and that goes on, after a pause until `p_run_at` if there is one. Its worker
-- was last heard of at `p_seen` when it died.
CREATE OR REPLACE FUNCTION history_of_returned(
    p_job job, p_now bigint, p_outcome text, p_error_code text, p_error_message text, p_seen bigint, p_run_at bigint,
    p_pause_code text
) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_history text := add_event(
        p_job.history,
        jsonb_build_object(
            'at', p_now, 'event', 'returned', 'outcome', p_outcome, 'epoch', p_job.epoch, 'attempt', p_job.attempt,
            'began', p_job.started_at, 'worker',
            (SELECT w.id FROM worker_name AS w WHERE w.number = p_job.worker), 'code', p_error_code, 'message',
            left(p_error_message, 200), 'seen', p_seen));
BEGIN
    IF p_run_at IS NOT NULL THEN
        v_history := add_place(v_history, p_now, 'scheduled', p_run_at, p_pause_code);
    END IF;
    RETURN v_history;
END
$$;
