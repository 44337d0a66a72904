-- The start of the database session, in milliseconds, of the observer that looked at all workers last.
ALTER TABLE fleet_clock ADD COLUMN looked_from bigint NOT NULL DEFAULT 0;

-- The workers of one machine, at which each of its processes looks with every heartbeat.
CREATE INDEX worker_machine ON worker (machine);
