INSERT INTO bundle (hash, archive, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (hash) DO NOTHING
