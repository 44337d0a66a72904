-- The text of an article grows: a longer one takes the place of a shorter one, and the search index follows.

CREATE FUNCTION reindex_article_text() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE article_index AS i
    SET words = setweight(to_tsvector('english', a.title), 'A')
        || to_tsvector('english', coalesce(a.description, ''))
        || to_tsvector('english', left(NEW.text, 100000))
    FROM article AS a
    WHERE a.number = NEW.article AND i.article = NEW.article;
    RETURN NULL;
END
$$;

CREATE TRIGGER article_text_reindexed AFTER UPDATE OF text ON article_text
FOR EACH ROW EXECUTE FUNCTION reindex_article_text();
