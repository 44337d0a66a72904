-- Creates users with credits and workers for the other scripts; psql sets `users` and `clients`.
SELECT begin_balances(array_agg(1000000 + n), array_agg(1000000::bigint), 0)
FROM generate_series(0::bigint, :users - 1) AS s (n);
INSERT INTO worker (id, host, process_id, concurrency, beats, started_at)
SELECT 'raw-' || n, 'raw', 1, 1000, 1, 0 FROM generate_series(0, :clients - 1) AS s (n);
