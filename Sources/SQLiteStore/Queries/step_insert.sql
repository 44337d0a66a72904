INSERT INTO step (job, name, occurrence, input_hash, output)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (job, name, occurrence) DO NOTHING
