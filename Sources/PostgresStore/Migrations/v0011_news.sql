-- Articles as they arrived. An article with an original in `duplicate_of` is in no
-- list and in no story.
CREATE TABLE article (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    -- The id is made of it.
    url text NOT NULL,
    title text NOT NULL,
    description text,
    source text NOT NULL,
    author text,
    image text,
    language text,
    category text,
    published_at bigint NOT NULL,
    fetched_at bigint NOT NULL,
    -- The day among whose stories it counts.
    day text,
    fingerprint bigint NOT NULL,
    fingerprint_words bigint NOT NULL,
    duplicate_of text
);

-- Addresses may be longer than an entry of a B-tree.
CREATE INDEX article_by_url ON article USING hash (url);
CREATE INDEX article_by_time ON article (published_at, id COLLATE "C") WHERE duplicate_of IS NULL;
CREATE INDEX article_by_category ON article (category, published_at, id COLLATE "C") WHERE duplicate_of IS NULL;
CREATE INDEX article_by_day ON article (day) WHERE day IS NOT NULL AND duplicate_of IS NULL;
CREATE INDEX article_by_arrival ON article (fetched_at);

-- Beside the article, so that lists need not step over the texts.
CREATE TABLE article_text (
    article bigint PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    text text NOT NULL
);

-- `components` is the vector's parts as 32-bit numbers, eight hexadecimal digits each.
CREATE TABLE article_vector (
    article bigint PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    model text NOT NULL,
    components text NOT NULL
);

CREATE TABLE article_ticker (
    ticker text NOT NULL,
    article bigint NOT NULL REFERENCES article (number) ON DELETE CASCADE,
    PRIMARY KEY (ticker, article)
);

CREATE INDEX article_ticker_by_article ON article_ticker (article);

-- What reading an article takes.
CREATE VIEW article_record AS
SELECT
    a.number, a.id, a.url, a.title, a.description, t.text, a.source, a.author, a.image, a.language, a.category,
    (SELECT string_agg(k.ticker, ' ') FROM article_ticker AS k WHERE k.article = a.number) AS tickers,
    a.published_at, a.fetched_at, a.day, a.fingerprint, a.fingerprint_words, a.duplicate_of
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

-- A story is named by the article that began it. One that became part of another has no members.
CREATE TABLE story (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE,
    day text NOT NULL,
    title text NOT NULL,
    -- 0 `Very Low` to 3 `High`.
    impact bigint NOT NULL CHECK (impact BETWEEN 0 AND 3),
    confidence text NOT NULL CHECK (confidence IN ('Low', 'Medium', 'High')),
    -- Symbols, and whether the story is about them.
    tickers jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    merged_into bigint REFERENCES story (number) ON DELETE CASCADE
);

CREATE INDEX story_by_day ON story (day);
CREATE INDEX story_by_merger ON story (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE story_member (
    article text PRIMARY KEY,
    story bigint NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    url text NOT NULL,
    -- In ten-thousandths.
    similarity bigint NOT NULL CHECK (similarity BETWEEN 0 AND 10000),
    added_at bigint NOT NULL,
    -- The order of arrival within the story.
    place bigint NOT NULL
);

CREATE INDEX story_member_by_story ON story_member (story, place);

-- The numbers under which a story is seen: everybody's has no ticker. A group stays when the story stops being about its
-- ticker, so that the number is the same when it is again.
CREATE TABLE story_group (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    story bigint NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    ticker text NOT NULL DEFAULT '',
    day text NOT NULL,
    is_shown boolean NOT NULL DEFAULT true,
    UNIQUE (story, ticker)
);

CREATE INDEX story_group_shown ON story_group (ticker, day) WHERE is_shown;

-- What reading a story takes.
CREATE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, s.impact, s.confidence, s.tickers::text AS tickers,
    (
        SELECT coalesce(
            json_agg(json_build_array(m.article, m.url, m.similarity, m.added_at) ORDER BY m.place), '[]')::text
        FROM story_member AS m
        WHERE m.story = s.number
    ) AS members,
    (
        SELECT coalesce(json_agg(l.key ORDER BY l.created_at, l.key COLLATE "C"), '[]')::text FROM story AS l WHERE l.merged_into = s.number
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into
FROM story AS s;

-- What is known of the sources of news.
CREATE TABLE news_source (
    source text PRIMARY KEY,
    etag text,
    last_modified text,
    asked_at bigint NOT NULL,
    failures bigint NOT NULL,
    problem text
);
