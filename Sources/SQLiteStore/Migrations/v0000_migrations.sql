-- Which migrations this database has seen, each with the digest of the text that was applied.
CREATE TABLE IF NOT EXISTS migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;
