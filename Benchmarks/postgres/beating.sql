-- Workers that beat, fifty to a machine. For psql.
INSERT INTO worker (
    id, host, process_id, concurrency, beats, started_at, machine, process_start, abilities, is_partial, heard_at, session,
    beat_at, version
)
SELECT
    'beating-' || n, 'machine-' || (n % :machines), n, 200, 1, store_now(), 'machine-' || (n % :machines), 1, '{}', false,
    (SELECT elapsed FROM fleet_clock WHERE one = 1), NULL, store_now(), 'benchmark'
FROM generate_series(1, :workers) AS n;
ANALYZE worker;
