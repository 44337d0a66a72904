-- Submits the job of a schedule's run, once in the whole fleet.
--
-- Outcomes besides those of `submit_jobs`: `noted` for a schedule that is new, `already_enqueued` when this run or a
-- later one was enqueued before. When `p_repetition` is 1, the answer to an earlier identical call may have been lost:
-- the job of that call is then found by its id.
CREATE OR REPLACE FUNCTION enqueue_scheduled_run(
    p_schedule text, p_scheduled_at bigint, p_now bigint, p_ids uuid[], p_users bigint[], p_kinds text[], p_inputs
    text[], p_bundles text[], p_queues text[], p_priorities bigint[], p_costs bigint[], p_max_attempts bigint[],
    p_concurrency_keys text[], p_unique_keys text[], p_idempotency_keys text[], p_fingerprints text[], p_request_ids
    text[], p_deadlines bigint[], p_run_ats bigint[], p_starting bigint[], p_fleet_limits bigint[], p_user_limits
    bigint[], p_subjects text[], p_repetition bigint
) RETURNS TABLE (
    place bigint, outcome text, earlier uuid, granted bigint, held bigint, used bigint, stored_at bigint,
    is_blocked boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_last bigint;
    v_outcome record;
BEGIN
    INSERT INTO schedule_run (schedule, scheduled_at) VALUES (p_schedule, p_scheduled_at)
    ON CONFLICT (schedule) DO NOTHING;
    IF FOUND THEN
        RETURN QUERY SELECT 1::bigint, 'noted', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint, false;
        RETURN;
    END IF;
    SELECT t.scheduled_at INTO v_last FROM schedule_run AS t WHERE t.schedule = p_schedule FOR UPDATE;
    IF v_last >= p_scheduled_at
        AND NOT (p_repetition = 1 AND EXISTS (SELECT FROM job AS j WHERE j.id = p_ids[1]))
    THEN
        RETURN QUERY SELECT 1::bigint, 'already_enqueued', NULL::uuid, 0::bigint, 0::bigint, 0::bigint, 0::bigint,
            false;
        RETURN;
    END IF;
    SELECT * INTO v_outcome
    FROM submit_jobs(
        p_now, p_ids, p_users, p_kinds, p_inputs, p_bundles, p_queues, p_priorities, p_costs, p_max_attempts,
        p_concurrency_keys, p_unique_keys, p_idempotency_keys, p_fingerprints, p_request_ids, p_deadlines, p_run_ats,
        p_starting, p_fleet_limits, p_user_limits, p_subjects);
    IF v_outcome.outcome IN ('accepted', 'existing') THEN
        UPDATE schedule_run AS t SET scheduled_at = greatest(t.scheduled_at, p_scheduled_at)
        WHERE t.schedule = p_schedule;
    END IF;
    RETURN QUERY SELECT v_outcome.place, v_outcome.outcome, v_outcome.earlier, v_outcome.granted, v_outcome.held,
        v_outcome.used, v_outcome.stored_at, v_outcome.is_blocked;
END
$$;
