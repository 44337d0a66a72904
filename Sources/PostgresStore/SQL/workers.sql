-- Worker processes: registrations, heartbeats and leases.

-- name: worker_register
INSERT INTO worker (id, host, process_id, concurrency, beats, started_at)
VALUES ($1, $2, $3, $4, 1, coalesce($5, store_now()))
ON CONFLICT (id) DO UPDATE
SET host = excluded.host, process_id = excluded.process_id, concurrency = excluded.concurrency,
    beats = worker.beats + 1

-- name: worker_beat
UPDATE worker SET beats = beats + 1 WHERE id = $1 RETURNING beats

-- name: worker_beats
SELECT id, beats FROM worker ORDER BY number

-- name: leases_of_worker
SELECT j.id, j.epoch
FROM worker AS w
CROSS JOIN LATERAL (SELECT lease.job FROM lease WHERE lease.worker = w.number OFFSET 0) AS l
CROSS JOIN LATERAL (SELECT job.id, job.epoch FROM job WHERE job.number = l.job OFFSET 0) AS j
WHERE w.id = $1

-- name: deregister_worker
SELECT deregister_worker($1, $2)

-- name: rescue_worker
SELECT id, is_poisoned FROM rescue_worker($1, $2, $3, $4, $5, $6, $7)
