-- Sign-in: sessions, the digests of their refresh tokens, and the generations of users.

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    device TEXT,
    tier TEXT,
    role TEXT,
    created_at INTEGER NOT NULL,
    -- The time of the sign-in or of the last refresh.
    last_used_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    -- The time of a logout or of a token that came twice; `ends_at` stays as it was.
    ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX session_of_user ON session (user, created_at, id);
CREATE INDEX session_by_end ON session (ends_at);
CREATE INDEX session_ended ON session (ended_at) WHERE ended_at IS NOT NULL;

-- `digest` is of a token that nobody can read here; `seed` and the token give its successor.
CREATE TABLE refresh_token (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    seed TEXT NOT NULL,
    used_at INTEGER,
    successor TEXT,
    CHECK ((used_at IS NULL) = (successor IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX refresh_token_of_session ON refresh_token (session);

-- Users whose sessions were all ended at once, and how often.
CREATE TABLE access_generation (
    user INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL CHECK (generation > 0),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX access_generation_by_change ON access_generation (changed_at);
