-- A heartbeat of one of many workers, fifty to a machine, by the store's own statement. For pgbench. No worker counts as
-- silent, as in a fleet that beats in time. With a turn of 0 each observer looks at all workers.
\set worker random(1, :workers)
\set machine :worker % :machines
SELECT count(*) FROM observe_workers(
    NULL, 'beating-' || :worker::bigint, 0, 'machine-' || :machine::bigint, 3000, 600000, 600000, :turn);
