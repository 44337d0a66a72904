SELECT url, signal FROM article_signal WHERE url = ANY ($1::text[])
