INSERT INTO migration (version, name, digest, applied_at) VALUES (?1, ?2, ?3, ?4)
