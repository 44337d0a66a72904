-- What articles are found by. Their titles and descriptions never change, and a text comes once.
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

INSERT INTO article_index (article, words)
SELECT
    a.number,
    setweight(to_tsvector('english', a.title), 'A') || to_tsvector('english', coalesce(a.description, ''))
    || to_tsvector('english', left(coalesce(t.text, ''), 100000))
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;
