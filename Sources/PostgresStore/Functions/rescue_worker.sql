-- Declares a worker dead unless its heartbeat counter has moved: its jobs return to pending, except a job to blame.
--
-- A job is to blame when it has seen at least `p_deaths_allowed` workers die, more than any other job of this worker,
-- and all deaths in the fleet since its first (two thirds from its sixth death on, half from the sixteenth, a quarter
-- from the thirtieth). Several suspects, which have seen two thirds, restart at different times, so that the next death
-- distinguishes them. `PoisonRule` gives the reasons.
CREATE OR REPLACE FUNCTION rescue_worker(
    p_now bigint, p_worker text, p_beats bigint, p_deaths_allowed bigint, p_code text, p_message text,
    p_user_message text
) RETURNS TABLE (id uuid, is_poisoned boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_seen_at bigint;
    v_numbers bigint[];
    v_death bigint;
    v_most integer;
    v_is_alone boolean;
    v_seen integer;
    v_suspects bigint[];
    v_job job;
BEGIN
    -- Waits for a claim in progress, and makes later ones fail.
    PERFORM lock_claims(p_worker);
    DELETE FROM worker AS w WHERE w.id = p_worker AND w.beats = p_beats
    RETURNING w.number, (SELECT f.observed_at - (f.elapsed - w.heard_at) FROM fleet_clock AS f)
    INTO v_number, v_seen_at;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE fleet_deaths AS f SET count = f.count + 1 RETURNING f.count INTO v_death;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_concurrency_keys_of(v_numbers);
    PERFORM lock_permits_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    SELECT max(h.deaths), count(*) FILTER (WHERE h.deaths = h.most) = 1 INTO v_most, v_is_alone
    FROM (
        SELECT j.deaths, max(j.deaths) OVER () AS most
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
    ) AS h;
    v_suspects := ARRAY(
        SELECT j.number
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
            AND j.deaths + 1 >= p_deaths_allowed AND 2 * (v_death - j.first_death + 1) <= 3 * (j.deaths + 1)
        ORDER BY j.number
    );
    -- In the order of users, in which all transactions lock positions.
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.user_id, j.queue, j.number
    LOOP
        IF v_job.deaths = 0 THEN
            UPDATE job AS j SET first_death = v_death WHERE j.number = v_job.number;
            v_job.first_death := v_death;
        END IF;
        v_seen := v_job.deaths + 1;
        IF v_seen >= p_deaths_allowed AND v_job.deaths = v_most AND v_is_alone
            AND v_death - v_job.first_death + 1 <= (
                CASE
                    WHEN v_seen < 6 THEN v_seen
                    WHEN v_seen < 16 THEN 3 * v_seen / 2
                    WHEN v_seen < 30 THEN 2 * v_seen
                    ELSE 4 * v_seen
                END
            )
        THEN
            UPDATE job AS j
            SET history = history_of_returned(v_job, v_now, 'interrupted', NULL, NULL, v_seen_at, NULL, NULL)
            WHERE j.number = v_job.number;
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
            RETURN QUERY SELECT v_job.id, true;
        ELSE
            PERFORM release_job(
                v_job, coalesce(2000 * ((array_position(v_suspects, v_job.number) - 1) % 16), 0), v_seen, v_now,
                NULL, v_seen_at);
            RETURN QUERY SELECT v_job.id, false;
        END IF;
    END LOOP;
END
$$;
