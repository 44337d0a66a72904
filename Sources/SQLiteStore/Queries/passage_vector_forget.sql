DELETE FROM passage_vector
WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.digest = passage_vector.digest)
