INSERT INTO worker (id, host, process_id, concurrency, beats, started_at)
VALUES ($1, $2, $3, $4, 1, coalesce($5, store_now()))
ON CONFLICT (id) DO UPDATE
SET host = excluded.host, process_id = excluded.process_id, concurrency = excluded.concurrency,
    beats = worker.beats + 1
