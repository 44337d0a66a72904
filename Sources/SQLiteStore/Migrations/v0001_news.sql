-- News: articles, stories, explanations and sources.

-- Articles as they arrived. An article with an original in `duplicate_of` is in no list and in no story.
CREATE TABLE article (
    number INTEGER PRIMARY KEY,
    -- Derived from the address.
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    source TEXT NOT NULL,
    author TEXT,
    image TEXT,
    language TEXT,
    category TEXT,
    published_at INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    -- The day whose stories the article may join.
    day TEXT,
    fingerprint INTEGER NOT NULL,
    fingerprint_words INTEGER NOT NULL,
    duplicate_of TEXT
) STRICT;

CREATE INDEX article_by_url ON article (url);
CREATE INDEX article_by_time ON article (published_at, id) WHERE duplicate_of IS NULL;
CREATE INDEX article_by_category ON article (category, published_at, id) WHERE duplicate_of IS NULL;
CREATE INDEX article_by_day ON article (day) WHERE day IS NOT NULL AND duplicate_of IS NULL;
CREATE INDEX article_by_arrival ON article (fetched_at);

-- The texts, apart from the articles so that lists do not read them.
CREATE TABLE article_text (
    article INTEGER PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

-- `components` holds the vector as 32-bit numbers of eight hexadecimal digits each.
CREATE TABLE article_vector (
    article INTEGER PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    model TEXT NOT NULL,
    components TEXT NOT NULL
) STRICT;

CREATE TABLE article_ticker (
    ticker TEXT NOT NULL,
    article INTEGER NOT NULL REFERENCES article (number) ON DELETE CASCADE,
    PRIMARY KEY (ticker, article)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_ticker_by_article ON article_ticker (article);

-- An article with all its parts.
CREATE VIEW article_record AS
SELECT
    a.number, a.id, a.url, a.title, a.description, t.text, a.source, a.author, a.image, a.language, a.category,
    (SELECT group_concat(ticker, ' ') FROM article_ticker WHERE article = a.number) AS tickers,
    a.published_at, a.fetched_at, a.day, a.fingerprint, a.fingerprint_words, a.duplicate_of
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

-- The text of the search index of articles. Titles and descriptions never change, and a text is stored once.
CREATE VIEW article_words AS
SELECT a.number, a.title, coalesce(a.description, '') AS description, coalesce(t.text, '') AS text
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

CREATE VIRTUAL TABLE article_index USING fts5 (
    title, description, text, content = 'article_words', content_rowid = 'number', tokenize = 'porter unicode61'
);

CREATE TRIGGER article_indexed AFTER INSERT ON article BEGIN
    INSERT INTO article_index (rowid, title, description, text)
    VALUES (new.number, new.title, coalesce(new.description, ''), '');
END;

CREATE TRIGGER article_text_indexed AFTER INSERT ON article_text BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, description, '' FROM article_words WHERE number = new.article;
    INSERT INTO article_index (rowid, title, description, text)
    SELECT number, title, description, text FROM article_words WHERE number = new.article;
END;

CREATE TRIGGER article_unindexed BEFORE DELETE ON article BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, description, text FROM article_words WHERE number = old.number;
END;

-- By the canonical address of the article. The signal is a JSON object.
CREATE TABLE article_signal (
    url TEXT PRIMARY KEY,
    signal TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- A story bears the key of the article that began it. A story that was merged into another has no members.
CREATE TABLE story (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    day TEXT NOT NULL,
    title TEXT NOT NULL,
    -- 0 `Very Low` to 3 `High`.
    impact INTEGER NOT NULL CHECK (impact BETWEEN 0 AND 3),
    confidence TEXT NOT NULL CHECK (confidence IN ('Low', 'Medium', 'High')),
    -- Symbols, and whether the story is about them, as JSON.
    tickers TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    merged_into INTEGER REFERENCES story (number) ON DELETE CASCADE
) STRICT;

CREATE INDEX story_by_day ON story (day);
CREATE INDEX story_by_merger ON story (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE story_member (
    article TEXT PRIMARY KEY,
    story INTEGER NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    url TEXT NOT NULL,
    -- In ten-thousandths.
    similarity INTEGER NOT NULL CHECK (similarity BETWEEN 0 AND 10000),
    added_at INTEGER NOT NULL,
    -- The order of arrival within the story.
    place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX story_member_by_story ON story_member (story, place);

-- The ids under which a story is listed: one for each subject, and one without a ticker for all users. A group stays
-- when the story is no longer about its ticker, so that the id is the same if the story is about it again. An id is
-- never used again.
CREATE TABLE story_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    story INTEGER NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    ticker TEXT NOT NULL DEFAULT '',
    day TEXT NOT NULL,
    is_shown INTEGER NOT NULL DEFAULT 1 CHECK (is_shown IN (0, 1)),
    UNIQUE (story, ticker)
) STRICT;

CREATE INDEX story_group_shown ON story_group (ticker, day) WHERE is_shown = 1;

-- A story with its members and the stories that it absorbed.
CREATE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, s.impact, s.confidence, s.tickers,
    (
        SELECT json_group_array(json_array(m.article, m.url, m.similarity, m.added_at))
        FROM (SELECT * FROM story_member WHERE story = s.number ORDER BY place) AS m
    ) AS members,
    (
        SELECT json_group_array(l.key)
        FROM (SELECT key FROM story WHERE merged_into = s.number ORDER BY created_at, key) AS l
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into
FROM story AS s;

-- Explanations that models wrote of a version of a story; `holdings` are tickers, separated by commas.
CREATE TABLE story_explanation (
    story TEXT NOT NULL,
    holdings TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    provenance TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (story, holdings, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX story_explanation_age ON story_explanation (created_at);

-- The latest brief of each user, and of all users under -1; `items` is a JSON array.
CREATE TABLE brief (
    user INTEGER PRIMARY KEY,
    items TEXT NOT NULL,
    generated_at INTEGER NOT NULL
) STRICT;

-- The result of the last request to each source of news.
CREATE TABLE news_source (
    source TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT,
    asked_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    problem TEXT
) STRICT, WITHOUT ROWID;
