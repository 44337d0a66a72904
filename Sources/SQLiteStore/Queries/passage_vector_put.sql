INSERT INTO passage_vector (digest, model, components)
SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM passage WHERE digest = ?1)
ON CONFLICT DO NOTHING
