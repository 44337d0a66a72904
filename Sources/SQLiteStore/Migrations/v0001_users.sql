-- Preferences, watchlists, conversations, and the passages and documents that answers rest on.

CREATE TABLE preferences (
    user INTEGER PRIMARY KEY,
    focus_profile TEXT NOT NULL CHECK (focus_profile IN ('focused', 'balanced', 'broad')),
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE holding (
    user INTEGER NOT NULL REFERENCES preferences (user) ON DELETE CASCADE,
    ticker TEXT NOT NULL,
    -- The order in which the user gave them, from 0.
    place INTEGER NOT NULL,
    label TEXT,
    notes TEXT,
    PRIMARY KEY (user, ticker)
) STRICT, WITHOUT ROWID;

CREATE TABLE watchlist (
    user INTEGER NOT NULL,
    ticker TEXT NOT NULL,
    name TEXT,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user, ticker)
) STRICT, WITHOUT ROWID;

-- Questions and answers, in the order of the answers. A conversation is the turns of one user under one id.
CREATE TABLE conversation_turn (
    number INTEGER PRIMARY KEY,
    -- The job that answered.
    job TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    subject TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    -- JSON.
    citations TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER NOT NULL
) STRICT;

CREATE INDEX conversation_turn_by_conversation ON conversation_turn (user_id, conversation, number);

-- Texts that answers may cite. A passage without an owner is for all users.
CREATE TABLE passage (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    part INTEGER NOT NULL,
    owner INTEGER,
    title TEXT NOT NULL,
    url TEXT,
    text TEXT NOT NULL,
    -- The stems of its words, separated by spaces.
    terms TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    -- The SHA-256 of title, line feed and text, in hexadecimal digits.
    digest TEXT NOT NULL,
    UNIQUE (kind, source, part)
) STRICT;

CREATE INDEX passage_by_digest ON passage (digest, owner);
-- Undated passages (0) do not age: they come before the latest.
CREATE INDEX passage_by_owner ON passage (owner, (written_at = 0), written_at);
CREATE INDEX passage_of_story_by_age ON passage (written_at) WHERE kind = 'story';

-- The terms are stems already, so the tokenizer leaves them alone.
CREATE VIRTUAL TABLE passage_index USING fts5 (
    terms, content = 'passage', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TRIGGER passage_inserted AFTER INSERT ON passage BEGIN
    INSERT INTO passage_index (rowid, terms) VALUES (new.number, new.terms);
END;

CREATE TRIGGER passage_updated AFTER UPDATE OF terms ON passage BEGIN
    INSERT INTO passage_index (passage_index, rowid, terms) VALUES ('delete', old.number, old.terms);
    INSERT INTO passage_index (rowid, terms) VALUES (new.number, new.terms);
END;

CREATE TRIGGER passage_deleted AFTER DELETE ON passage BEGIN
    INSERT INTO passage_index (passage_index, rowid, terms) VALUES ('delete', old.number, old.terms);
END;

-- Vectors of texts, by the digest of the passage; `components` as in `article_vector`.
CREATE TABLE passage_vector (
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    components TEXT NOT NULL,
    PRIMARY KEY (digest, model)
) STRICT;

-- Cached answers of data sources.
CREATE TABLE document (
    key TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX document_kept_until ON document (kept_until);
