-- Questions and their answers, in the order in which they were answered. A conversation is the turns of one user under
-- one id.
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

-- What answers may rest on. A passage without an owner is for everybody.
CREATE TABLE passage (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    part INTEGER NOT NULL,
    owner INTEGER,
    title TEXT NOT NULL,
    url TEXT,
    text TEXT NOT NULL,
    -- The stems of its words, with spaces between them.
    terms TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    UNIQUE (kind, source, part)
) STRICT;

-- Stems are found as they are: they are folded already.
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
