-- API keys and the audit. Only the service reads them.

CREATE TABLE api_key (
    id text COLLATE "C" PRIMARY KEY,
    -- Of the key's text, which nobody can read here.
    digest text COLLATE "C" NOT NULL UNIQUE,
    seed text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    -- With spaces between them.
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    creator_type text COLLATE "C" NOT NULL,
    creator_id text COLLATE "C" NOT NULL,
    creator_name text NOT NULL,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint,
    -- The idempotency key of the request, and the digest of its body.
    request_key text COLLATE "C",
    fingerprint text,
    UNIQUE (creator_type, creator_id, request_key)
);

CREATE INDEX api_key_by_age ON api_key (created_at, id);
CREATE INDEX api_key_live ON api_key (digest) WHERE revoked_at IS NULL;

-- Writes of operators, API keys and the command line, each stored in the transaction of the write.
CREATE TABLE audit (
    id text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('user', 'key', 'cli')),
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    target text,
    -- The user that the entry is about.
    user_id bigint,
    details text NOT NULL,
    request_id text
);

CREATE INDEX audit_by_time ON audit (at, id);

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger
LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$;

CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
EXECUTE FUNCTION refuse_change_of_audit();
