-- Preferences, watchlists, conversations, and the passages and documents that answers rest on.

CREATE TYPE focus_profile AS ENUM ('focused', 'balanced', 'broad');

CREATE TABLE preferences (
    user_id bigint PRIMARY KEY,
    focus_profile focus_profile NOT NULL,
    updated_at bigint NOT NULL
);

CREATE TABLE holding (
    user_id bigint NOT NULL REFERENCES preferences (user_id) ON DELETE CASCADE,
    ticker text COLLATE "C" NOT NULL,
    -- The order in which the user gave them, from 1.
    place bigint NOT NULL,
    label text,
    notes text,
    PRIMARY KEY (user_id, ticker)
);

CREATE TABLE watchlist (
    user_id bigint NOT NULL,
    added_at bigint NOT NULL,
    ticker text NOT NULL,
    name text,
    PRIMARY KEY (user_id, ticker)
);

-- Questions and answers, in the order of the answers. A conversation is the turns of one user under one id.
CREATE TABLE conversation_turn (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The job that answered.
    job text NOT NULL UNIQUE,
    user_id bigint NOT NULL,
    conversation text NOT NULL,
    subject text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    -- JSON.
    citations text NOT NULL,
    asked_at bigint NOT NULL,
    answered_at bigint NOT NULL
);

CREATE INDEX conversation_turn_by_conversation ON conversation_turn (user_id, conversation, number);

-- Texts that answers may cite. A passage without an owner is for all users.
CREATE TABLE passage (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    source text NOT NULL,
    part bigint NOT NULL,
    owner bigint,
    title text NOT NULL,
    url text,
    body text NOT NULL,
    -- The stems of its words, separated by spaces.
    terms text NOT NULL,
    written_at bigint NOT NULL,
    -- Without a dictionary, since the terms are stems already.
    index tsvector NOT NULL
        GENERATED ALWAYS AS (array_to_tsvector(array_remove(string_to_array(terms, ' '), ''))) STORED,
    -- The SHA-256 of title, line feed and text, in hexadecimal digits.
    digest text NOT NULL,
    UNIQUE (kind, source, part)
);

CREATE INDEX passage_by_terms ON passage USING gin (index);
CREATE INDEX passage_by_digest ON passage (digest, owner);
-- Undated passages (0) do not age: they come before the latest.
CREATE INDEX passage_by_owner ON passage (owner, (written_at = 0), written_at, number);
CREATE INDEX passage_of_story_by_age ON passage (written_at) WHERE kind = 'story';

-- Vectors of texts, by the digest of the passage; `components` as in `article_vector`. A row does not name the owners
-- of its text, so only the service reads it.
CREATE TABLE passage_vector (
    digest text NOT NULL,
    model text NOT NULL,
    components text NOT NULL,
    PRIMARY KEY (digest, model)
);

-- Cached answers of data sources.
CREATE TABLE document (
    key text PRIMARY KEY,
    body text NOT NULL,
    stored_at bigint NOT NULL,
    kept_until bigint NOT NULL
);

CREATE INDEX document_kept_until ON document (kept_until);
