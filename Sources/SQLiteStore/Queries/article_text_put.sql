INSERT INTO article_text (article, text) VALUES (?1, ?2) ON CONFLICT DO NOTHING
