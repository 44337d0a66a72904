-- Users with credits and workers for the scripts beside it; psql sets `users` and `clients`.
INSERT INTO balance (user_id, granted, held, used)
SELECT 1000000 + n, 1000000, 0, 0 FROM generate_series(0, :users - 1) AS s (n);
INSERT INTO ledger (user_id, kind, amount, created_at)
SELECT 1000000 + n, 'grant', 1000000, 0 FROM generate_series(0, :users - 1) AS s (n);
INSERT INTO worker (id, host, process_id, concurrency, beats, started_at)
SELECT 'raw-' || n, 'raw', 1, 1000, 1, 0 FROM generate_series(0, :clients - 1) AS s (n);
