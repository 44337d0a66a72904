-- Sign-in: sessions, the digests of their refresh tokens, and the generations of users. Only the service reads them.

CREATE TABLE session (
    id text COLLATE "C" PRIMARY KEY,
    user_id bigint NOT NULL,
    device text,
    tier text,
    role text,
    created_at bigint NOT NULL,
    -- The time of the sign-in or of the last refresh.
    last_used_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    -- The time of a logout or of a token that came twice; `ends_at` stays as it was.
    ended_at bigint
);

CREATE INDEX session_of_user ON session (user_id, created_at, id);
CREATE INDEX session_by_end ON session (ends_at);
CREATE INDEX session_ended ON session (ended_at) WHERE ended_at IS NOT NULL;

-- `digest` is of a token that nobody can read here; `seed` and the token give its successor.
CREATE TABLE refresh_token (
    digest text COLLATE "C" PRIMARY KEY,
    session text COLLATE "C" NOT NULL,
    seed text NOT NULL,
    used_at bigint,
    successor text COLLATE "C",
    CHECK ((used_at IS NULL) = (successor IS NULL))
);

CREATE INDEX refresh_token_of_session ON refresh_token (session);

-- Users whose sessions were all ended at once, and how often.
CREATE TABLE access_generation (
    user_id bigint PRIMARY KEY,
    generation bigint NOT NULL CHECK (generation > 0),
    changed_at bigint NOT NULL
);

CREATE INDEX access_generation_by_change ON access_generation (changed_at);
