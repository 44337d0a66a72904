-- Texts kept under keys for a while.
CREATE TABLE document (
    key TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX document_kept_until ON document (kept_until);
