INSERT INTO article_vector (article, model, components)
SELECT number, ?2, ?3 FROM article WHERE id = ?1
ON CONFLICT DO NOTHING
