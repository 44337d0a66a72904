-- API keys and the audit.

CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    -- Of the key's text, which nobody can read here.
    digest TEXT NOT NULL UNIQUE,
    seed TEXT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    -- With spaces between them.
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    creator_type TEXT NOT NULL,
    creator_id TEXT NOT NULL,
    creator_name TEXT NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- The idempotency key of the request, and the digest of its body.
    request_key TEXT,
    fingerprint TEXT,
    UNIQUE (creator_type, creator_id, request_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_by_age ON api_key (created_at, id);
CREATE INDEX api_key_live ON api_key (digest) WHERE revoked_at IS NULL;

-- Writes of operators, API keys and the command line, each stored in the transaction of the write.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'key', 'cli')),
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    -- The user that the entry is about.
    user INTEGER,
    details TEXT NOT NULL,
    request_id TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_by_time ON audit (at, id);

CREATE TRIGGER audit_is_never_updated BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- The one way to write an entry: `entry` is the JSON of `AuditEntry.stored`. An entry that is written again changes
-- nothing.
CREATE VIEW audit_writer AS SELECT 0 AS at, '' AS entry WHERE false;

CREATE TRIGGER audit_is_written INSTEAD OF INSERT ON audit_writer
BEGIN
    INSERT INTO audit (id, at, actor_type, actor_id, actor_name, action, target, user, details, request_id)
    VALUES (
        new.entry ->> 'id', new.at, new.entry ->> 'actor_type', new.entry ->> 'actor_id', new.entry ->> 'actor_name',
        new.entry ->> 'action', new.entry ->> 'target', new.entry ->> 'user', new.entry ->> 'details',
        new.entry ->> 'request_id')
    ON CONFLICT (id) DO NOTHING;
END;
