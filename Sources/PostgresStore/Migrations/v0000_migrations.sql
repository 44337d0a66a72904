-- Which migrations this database has seen, each with the digest of the text that was applied.
CREATE TABLE IF NOT EXISTS migration (
    version bigint PRIMARY KEY,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at bigint NOT NULL
);
