-- The time at which an operator asked the worker to claim nothing.
ALTER TABLE worker ADD COLUMN drained_at INTEGER;
