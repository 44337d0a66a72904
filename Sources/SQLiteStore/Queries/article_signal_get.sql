SELECT url, signal FROM article_signal WHERE url IN (SELECT value FROM json_each(?1))
