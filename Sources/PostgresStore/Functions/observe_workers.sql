-- Records a worker's heartbeat, or the look of a broker without a worker (`p_worker` is NULL), and advances the fleet's
-- time. `FleetClock` explains it; the durations are milliseconds.
--
-- The first row is about the observer: whether it is registered, the number of its leases, whether it has the turn at
-- the duties that one worker does for all, the current bundle and the time. The further rows are the workers on the
-- observer's machine and, when it looks at all workers, the silent ones.
--
-- The observer that advances the clock looks at all workers: one in half a second, whatever the size of the fleet.
--
-- A worker whose session has ended is silent after `p_silence_when_closed`. That counts only if the observer's own
-- session is older than the worker's last heartbeat: when the server has restarted, all sessions have ended. So the
-- look of an observer whose session is older than that of the last one is not spared by it: a young process that
-- beats just before an old one would hide the death from both.
--
-- A heartbeat need not outlive a crash of the server, so its commit waits for no disk and no standby.
CREATE OR REPLACE FUNCTION observe_workers(
    p_now bigint, p_worker text, p_running bigint, p_machine text, p_longest_gap bigint, p_silence bigint,
    p_silence_when_closed bigint, p_turn bigint
) RETURNS TABLE (
    is_known boolean, leases bigint, has_turn boolean, bundle text, time_now bigint, id text, beats bigint,
    process_id bigint, process_start bigint, is_silent boolean
)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_clock fleet_clock;
    v_elapsed bigint;
    v_number bigint;
    v_session_start bigint := nullif(current_setting('dossier.session_start', true), '')::bigint;
    v_looks boolean;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    -- The server copies the state of all its sessions for this, so that each session asks once.
    IF v_session_start IS NULL THEN
        SELECT (extract(EPOCH FROM a.backend_start) * 1000)::bigint INTO STRICT v_session_start
        FROM pg_stat_get_activity(pg_backend_pid()) AS a;
        PERFORM set_config('dossier.session_start', v_session_start::text, false);
    END IF;
    -- Observations within half a second of another one share its row version, except to take the turn, or of an older
    -- session. That waits for the next millisecond, since a turn shows by its time being the clock's.
    UPDATE fleet_clock AS c
    SET elapsed = c.elapsed + greatest(least(v_now - c.observed_at, p_longest_gap), 0),
        resumed_at = CASE
            WHEN abs(v_now - c.observed_at) > p_longest_gap
                THEN c.elapsed + greatest(least(v_now - c.observed_at, p_longest_gap), 0)
            ELSE c.resumed_at
        END,
        turn_at = CASE
            WHEN p_worker IS NOT NULL
                AND c.elapsed + greatest(least(v_now - c.observed_at, p_longest_gap), 0) - c.turn_at >= p_turn
                THEN c.elapsed + greatest(least(v_now - c.observed_at, p_longest_gap), 0)
            ELSE c.turn_at
        END,
        observed_at = v_now, looked_from = v_session_start
    WHERE c.one = 1 AND (
        v_now - c.observed_at >= 500 OR v_now - c.observed_at < -p_longest_gap
        OR v_session_start < c.looked_from AND v_now > c.observed_at
        OR p_worker IS NOT NULL AND c.elapsed + v_now - c.observed_at - c.turn_at >= p_turn)
    RETURNING c.* INTO v_clock;
    v_looks := FOUND;
    has_turn := v_looks AND p_worker IS NOT NULL AND v_clock.turn_at = v_clock.elapsed;
    IF NOT v_looks THEN
        SELECT * INTO STRICT v_clock FROM fleet_clock AS c WHERE c.one = 1;
    END IF;
    v_elapsed := v_clock.elapsed + greatest(least(v_now - v_clock.observed_at, p_longest_gap), 0);
    IF p_worker IS NOT NULL THEN
        UPDATE worker AS w
        SET beats = w.beats + 1, running = p_running, heard_at = v_elapsed, session = pg_backend_pid(),
            beat_at = store_now()
        WHERE w.id = p_worker
        RETURNING w.number INTO v_number;
        is_known := FOUND;
    ELSE
        is_known := false;
    END IF;
    leases := (SELECT count(*) FROM lease AS l WHERE l.worker = v_number);
    bundle := (SELECT b.hash FROM current_bundle AS b WHERE b.one = 1);
    time_now := v_now;
    RETURN NEXT;
    IF NOT v_looks THEN
        RETURN QUERY
        SELECT NULL::boolean, NULL::bigint, NULL::boolean, NULL::text, NULL::bigint, w.id, w.beats, w.process_id,
            w.process_start, v_elapsed - greatest(w.heard_at, v_clock.resumed_at) >= p_silence
        FROM worker AS w
        WHERE w.machine = p_machine AND p_machine <> '' AND w.id IS DISTINCT FROM p_worker;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT NULL::boolean, NULL::bigint, NULL::boolean, NULL::text, NULL::bigint, w.id, w.beats, w.process_id,
        CASE WHEN w.machine = p_machine THEN w.process_start END, s.is_silent
    FROM worker AS w
    CROSS JOIN LATERAL (SELECT v_elapsed - greatest(w.heard_at, v_clock.resumed_at) AS silence OFFSET 0) AS q
    CROSS JOIN LATERAL (
        SELECT
            q.silence >= p_silence
            OR (
                q.silence >= p_silence_when_closed AND w.beat_at > v_session_start
                AND NOT EXISTS (SELECT FROM pg_stat_get_activity(w.session) AS a WHERE a.pid = w.session)
            ) AS is_silent
        OFFSET 0
    ) AS s
    WHERE w.id IS DISTINCT FROM p_worker AND (s.is_silent OR (w.machine = p_machine AND p_machine <> ''));
END
$$;
