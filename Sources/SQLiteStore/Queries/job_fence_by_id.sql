SELECT
    number, id, user, kind, queue, priority, cost, hold, concurrency_key, status, blocked, run_at, epoch,
    failed_epoch, deaths, worker, limited, waiting, drop_steps_from, following,
    unique_key IS NOT NULL
FROM job
WHERE id = ?1
