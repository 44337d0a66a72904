-- How many workers have died; jobs that lost a worker remember which death was the first of their row.
CREATE TABLE fleet_deaths (
    one integer PRIMARY KEY CHECK (one = 1),
    count bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO fleet_deaths (one, count) VALUES (1, 0);

-- Meant while `deaths` is not 0.
ALTER TABLE job ADD COLUMN first_death bigint;

UPDATE job SET first_death = 0 WHERE deaths > 0;

-- Declares a worker dead, unless its counter moved: its jobs go back to pending, but for one that is to blame. That one
-- has seen at least as many die as are allowed, more than any other job in the worker's hands, and half of all workers
-- that died meanwhile; from its tenth on a quarter is enough. Those that are under suspicion together start again apart
-- from each other. (`PoisonRule` says why.)
CREATE OR REPLACE FUNCTION rescue_worker(
    p_now bigint, p_worker text, p_beats bigint, p_deaths_allowed bigint, p_code text, p_message text,
    p_user_message text
) RETURNS TABLE (id uuid, is_poisoned boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_number bigint;
    v_numbers bigint[];
    v_death bigint;
    v_most integer;
    v_is_alone boolean;
    v_suspects bigint := 0;
    v_job job;
BEGIN
    -- Waits for a claim that is under way, and keeps out later ones.
    DELETE FROM worker AS w WHERE w.id = p_worker AND w.beats = p_beats RETURNING w.number INTO v_number;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE fleet_deaths AS f SET count = f.count + 1 RETURNING f.count INTO v_death;
    v_numbers := ARRAY(SELECT l.job FROM lease AS l WHERE l.worker = v_number);
    PERFORM lock_lines_of(v_numbers);
    PERFORM lock_slots_of(v_numbers);
    PERFORM lock_balances_of(lock_jobs(v_numbers));
    SELECT max(h.deaths), count(*) FILTER (WHERE h.deaths = h.most) = 1 INTO v_most, v_is_alone
    FROM (
        SELECT j.deaths, max(j.deaths) OVER () AS most
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
    ) AS h;
    FOR v_job IN
        SELECT j.*
        FROM job AS j
        WHERE j.number = ANY (v_numbers) AND j.status = 'processing' AND j.worker = v_number
        ORDER BY j.number
    LOOP
        IF v_job.deaths = 0 THEN
            UPDATE job AS j SET first_death = v_death WHERE j.number = v_job.number;
            v_job.first_death := v_death;
        END IF;
        IF v_job.deaths + 1 >= p_deaths_allowed AND v_job.deaths = v_most AND v_is_alone
            AND (CASE WHEN v_job.deaths + 1 >= 10 THEN 4 ELSE 2 END) * (v_job.deaths + 1)
                >= v_death - v_job.first_death + 1
        THEN
            PERFORM end_job(v_job, 'failed', NULL, NULL, p_code, p_message, p_user_message, v_now);
            RETURN QUERY SELECT v_job.id, true;
        ELSE
            IF v_job.deaths + 1 >= p_deaths_allowed THEN
                PERFORM give_back(v_job, 2000 * (v_suspects % 16), v_job.deaths + 1, v_now);
                v_suspects := v_suspects + 1;
            ELSE
                PERFORM give_back(v_job, 0, v_job.deaths + 1, v_now);
            END IF;
            RETURN QUERY SELECT v_job.id, false;
        END IF;
    END LOOP;
END
$$;
