-- The version of the program that a worker runs; empty for workers of versions that do not tell it.
ALTER TABLE worker ADD COLUMN version text NOT NULL DEFAULT '';
