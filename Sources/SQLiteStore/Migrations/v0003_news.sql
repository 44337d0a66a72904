-- The text of an article grows: a longer one takes the place of a shorter one, and the search index follows.

CREATE TRIGGER article_text_reindexed AFTER UPDATE OF text ON article_text BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, coalesce(description, ''), old.text FROM article WHERE number = new.article;
    INSERT INTO article_index (rowid, title, description, text)
    SELECT number, title, coalesce(description, ''), new.text FROM article WHERE number = new.article;
END;
