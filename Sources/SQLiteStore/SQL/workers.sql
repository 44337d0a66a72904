-- Workers, their heartbeats and leases, and the deaths that `PoisonRule` counts.

-- name: worker_register
-- No number is given twice, so that the rows of jobs name their workers for good.
INSERT INTO worker (
    number, id, host, process_id, concurrency, beats, started_at, machine, process_start, abilities, version,
    heard_at
)
VALUES (
    (SELECT coalesce(max(number), 0) + 1 FROM worker_name), ?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9,
    (SELECT elapsed FROM fleet_clock)
)
ON CONFLICT (id) DO UPDATE
SET host = excluded.host, process_id = excluded.process_id, concurrency = excluded.concurrency,
    machine = excluded.machine, process_start = excluded.process_start, abilities = excluded.abilities,
    version = excluded.version, heard_at = excluded.heard_at, beats = beats + 1

-- name: worker_name_keep
INSERT INTO worker_name (number, id)
SELECT number, id FROM worker WHERE id = ?1
ON CONFLICT (number) DO NOTHING

-- name: worker_name_forget
DELETE FROM worker_name
WHERE number <= (SELECT max(number) FROM worker_name) - ?1 AND number NOT IN (SELECT number FROM worker)

-- name: worker_beat
UPDATE worker SET beats = beats + 1, running = ?2, heard_at = ?3 WHERE id = ?1

-- name: fleet_clock_get
SELECT observed_at, elapsed, resumed_at, turn_at FROM fleet_clock

-- name: fleet_clock_set
UPDATE fleet_clock SET observed_at = ?1, elapsed = ?2, resumed_at = ?3, turn_at = ?4

-- name: worker_list
SELECT id, beats, process_id, machine, process_start, heard_at FROM worker ORDER BY number

-- name: worker_list_of_machine
SELECT id, beats, process_id, machine, process_start, heard_at FROM worker WHERE machine = ?1

-- name: lease_count
SELECT count(*) FROM lease WHERE worker = (SELECT number FROM worker WHERE id = ?1)

-- name: worker_beats
SELECT id, beats, abilities FROM worker ORDER BY number

-- name: worker_delete
DELETE FROM worker WHERE id = ?1 RETURNING number

-- name: worker_delete_silent
-- The last sign is as old as its distance on the fleet's clock.
DELETE FROM worker WHERE id = ?1 AND beats = ?2
RETURNING number, (SELECT f.observed_at - (f.elapsed - heard_at) FROM fleet_clock AS f)

-- name: leases_of_worker
SELECT j.id, j.epoch
FROM worker AS w
CROSS JOIN lease AS l ON l.worker = w.number
CROSS JOIN job AS j ON j.number = l.job
WHERE w.id = ?1

-- name: lease_jobs
SELECT job FROM lease WHERE worker = ?1 ORDER BY job

-- name: lease_delete
DELETE FROM lease WHERE worker = ?1 AND job = ?2

-- name: fleet_count_death
UPDATE fleet_deaths SET count = count + 1 RETURNING count

-- name: job_count_death
-- Counts the death of a worker with this job. The first death of a row is remembered by the fleet's count.
UPDATE job
SET first_death = CASE deaths WHEN 0 THEN ?2 ELSE first_death END, deaths = deaths + 1
WHERE number = ?1
RETURNING deaths, first_death

-- name: job_reset_deaths
UPDATE job SET deaths = 0 WHERE number = ?1
