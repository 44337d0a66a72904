-- The newest migration that a program must know to use this database; one row.
CREATE TABLE schema_compatibility (
    oldest_program INTEGER NOT NULL
);

INSERT INTO schema_compatibility (oldest_program) VALUES (20);
