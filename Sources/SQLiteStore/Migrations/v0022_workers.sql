-- The workers of one machine, at which each of its processes looks with every heartbeat.
CREATE INDEX worker_machine ON worker (machine);
