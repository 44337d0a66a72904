-- Articles as they arrived. An article with an original in `duplicate_of` is in no
-- list and in no story.
CREATE TABLE article (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- The id is made of it.
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
    -- The day among whose stories it counts.
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

-- Beside the article, so that lists need not step over the texts.
CREATE TABLE article_text (
    article INTEGER PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

-- `components` is the vector's parts as 32-bit numbers, eight hexadecimal digits each.
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

-- What reading an article takes.
CREATE VIEW article_record AS
SELECT
    a.number, a.id, a.url, a.title, a.description, t.text, a.source, a.author, a.image, a.language, a.category,
    (SELECT group_concat(ticker, ' ') FROM article_ticker WHERE article = a.number) AS tickers,
    a.published_at, a.fetched_at, a.day, a.fingerprint, a.fingerprint_words, a.duplicate_of
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

-- A story is named by the article that began it. One that became part of another has no members.
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

-- The numbers under which a story is seen: everybody's has no ticker. A group stays when the story stops being about its
-- ticker, so that the number is the same when it is again. Numbers are never given twice.
CREATE TABLE story_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    story INTEGER NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    ticker TEXT NOT NULL DEFAULT '',
    day TEXT NOT NULL,
    is_shown INTEGER NOT NULL DEFAULT 1 CHECK (is_shown IN (0, 1)),
    UNIQUE (story, ticker)
) STRICT;

CREATE INDEX story_group_shown ON story_group (ticker, day) WHERE is_shown = 1;

-- What reading a story takes.
CREATE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, s.impact, s.confidence, s.tickers,
    (
        SELECT json_group_array(json_array(m.article, m.url, m.similarity, m.added_at))
        FROM (SELECT * FROM story_member WHERE story = s.number ORDER BY place) AS m
    ) AS members,
    (
        SELECT json_group_array(l.key) FROM (SELECT key FROM story WHERE merged_into = s.number ORDER BY created_at, key) AS l
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into
FROM story AS s;

-- What is known of the sources of news.
CREATE TABLE news_source (
    source TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT,
    asked_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    problem TEXT
) STRICT, WITHOUT ROWID;
