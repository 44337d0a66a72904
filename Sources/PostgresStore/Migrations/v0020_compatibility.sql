-- The newest migration that a program must know to use this database; one row.
CREATE TABLE schema_compatibility (
    oldest_program bigint NOT NULL
);

INSERT INTO schema_compatibility (oldest_program) VALUES (20);

-- The newest migration of the program that had no use for the function any more. Older programs may still call it.
ALTER TABLE stored_function ADD COLUMN retired_by bigint;
