-- What users say of themselves, what models made of articles, and the latest brief of each user.

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

-- By the canonical address of the article; the signal is a JSON object.
CREATE TABLE article_signal (
    url TEXT PRIMARY KEY,
    signal TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- User -1 is everybody's; the items are a JSON array.
CREATE TABLE brief (
    user INTEGER PRIMARY KEY,
    items TEXT NOT NULL,
    generated_at INTEGER NOT NULL
) STRICT;
