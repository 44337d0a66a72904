-- Worker processes: registrations, heartbeats and leases.

-- name: worker_register
WITH registered AS (
    INSERT INTO worker (
        id, host, process_id, concurrency, beats, started_at, machine, process_start, abilities, is_partial, heard_at,
        session, beat_at, version
    )
    VALUES (
        $1, $2, $3, $4, 1, coalesce($5, store_now()), $6, $7, $8, $9::bigint <> 0,
        (SELECT elapsed FROM fleet_clock WHERE one = 1), NULL, store_now(), $11
    )
    ON CONFLICT (id) DO UPDATE
    SET host = excluded.host, process_id = excluded.process_id, concurrency = excluded.concurrency,
        machine = excluded.machine, process_start = excluded.process_start, abilities = excluded.abilities,
        is_partial = excluded.is_partial, version = excluded.version, heard_at = excluded.heard_at, beats = worker.beats + 1
    RETURNING number, id
), forgotten AS (
    DELETE FROM worker_name AS n
    WHERE n.number <= (SELECT r.number FROM registered AS r) - $10::bigint
        AND NOT EXISTS (SELECT FROM worker AS w WHERE w.number = n.number)
)
INSERT INTO worker_name (number, id) SELECT r.number, r.id FROM registered AS r
ON CONFLICT (number) DO NOTHING

-- name: observe_workers
SELECT * FROM observe_workers($1, $2, $3, $4, $5, $6, $7, $8)

-- name: worker_beats
SELECT id, beats, abilities FROM worker ORDER BY number

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
