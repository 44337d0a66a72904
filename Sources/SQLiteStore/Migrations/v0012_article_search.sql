-- What articles are found by. Their titles and descriptions never change, and a text comes once.
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

INSERT INTO article_index (rowid, title, description, text)
SELECT number, title, description, text FROM article_words;
