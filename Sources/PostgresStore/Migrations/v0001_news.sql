-- News: articles, stories, explanations and sources.

-- Articles as they arrived. An article with an original in `duplicate_of` is in no list and in no story.
CREATE TABLE article (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Derived from the address.
    id text NOT NULL UNIQUE,
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
    -- The day whose stories the article may join.
    day text,
    fingerprint bigint NOT NULL,
    fingerprint_words bigint NOT NULL,
    duplicate_of text
);

-- A hash index, since addresses may be longer than an entry of a B-tree.
CREATE INDEX article_by_url ON article USING hash (url);
CREATE INDEX article_by_time ON article (published_at, id COLLATE "C") WHERE duplicate_of IS NULL;
CREATE INDEX article_by_category ON article (category, published_at, id COLLATE "C") WHERE duplicate_of IS NULL;
CREATE INDEX article_by_day ON article (day) WHERE day IS NOT NULL AND duplicate_of IS NULL;
CREATE INDEX article_by_arrival ON article (fetched_at);

-- The texts, apart from the articles so that lists do not read them.
CREATE TABLE article_text (
    article bigint PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    text text NOT NULL
);

-- `components` holds the vector as 32-bit numbers of eight hexadecimal digits each.
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

-- The search index of articles. Titles and descriptions never change, and a text is stored once.
CREATE TABLE article_index (
    article bigint PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    words tsvector NOT NULL
);

CREATE INDEX article_by_words ON article_index USING gin (words);

CREATE FUNCTION index_article() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO article_index (article, words)
    VALUES (
        NEW.number,
        setweight(to_tsvector('english', NEW.title), 'A') || to_tsvector('english', coalesce(NEW.description, '')));
    RETURN NULL;
END
$$;

CREATE FUNCTION index_article_text() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE article_index SET words = words || to_tsvector('english', left(NEW.text, 100000))
    WHERE article = NEW.article;
    RETURN NULL;
END
$$;

CREATE TRIGGER article_indexed AFTER INSERT ON article FOR EACH ROW EXECUTE FUNCTION index_article();
CREATE TRIGGER article_text_indexed AFTER INSERT ON article_text FOR EACH ROW EXECUTE FUNCTION index_article_text();

-- An article with all its parts.
CREATE VIEW article_record AS
SELECT
    a.number, a.id, a.url, a.title, a.description, t.text, a.source, a.author, a.image, a.language, a.category,
    (SELECT string_agg(k.ticker, ' ') FROM article_ticker AS k WHERE k.article = a.number) AS tickers,
    a.published_at, a.fetched_at, a.day, a.fingerprint, a.fingerprint_words, a.duplicate_of
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

-- By the canonical address of the article. The signal is a JSON object.
CREATE TABLE article_signal (
    url text COLLATE "C" PRIMARY KEY CHECK (octet_length(url) <= 2048),
    signal text NOT NULL,
    made_at bigint NOT NULL
);

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- A story bears the key of the article that began it. A story that was merged into another has no members.
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

-- The ids under which a story is listed: one for each subject, and one without a ticker for all users. A group stays
-- when the story is no longer about its ticker, so that the id is the same if the story is about it again.
CREATE TABLE story_group (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    story bigint NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    ticker text NOT NULL DEFAULT '',
    day text NOT NULL,
    is_shown boolean NOT NULL DEFAULT true,
    UNIQUE (story, ticker)
);

CREATE INDEX story_group_shown ON story_group (ticker, day) WHERE is_shown;

-- A story with its members and the stories that it absorbed.
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
        SELECT coalesce(json_agg(l.key ORDER BY l.created_at, l.key COLLATE "C"), '[]')::text
        FROM story AS l
        WHERE l.merged_into = s.number
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into
FROM story AS s;

-- Explanations that models wrote of a version of a story; `holdings` are tickers, separated by commas.
CREATE TABLE story_explanation (
    story text NOT NULL,
    holdings text NOT NULL,
    version text NOT NULL,
    body text NOT NULL,
    provenance text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (story, holdings, version)
);

CREATE INDEX story_explanation_age ON story_explanation (created_at);

-- The latest brief of each user, and of all users under -1; `items` is a JSON array.
CREATE TABLE brief (
    user_id bigint PRIMARY KEY,
    items text NOT NULL,
    generated_at bigint NOT NULL
);

-- The result of the last request to each news source.
CREATE TABLE news_source (
    source text PRIMARY KEY,
    etag text,
    last_modified text,
    asked_at bigint NOT NULL,
    failures bigint NOT NULL,
    problem text
);
