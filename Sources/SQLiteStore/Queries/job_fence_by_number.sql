SELECT
    number, id, user, kind, lane, priority, cost, hold, serial_key, status, blocked, run_at, epoch,
    failed_epoch, deaths, worker, limited, waiting, drop_steps_from, following,
    join_key IS NOT NULL
FROM job
WHERE number = ?1
