INSERT INTO account (id, subject, created_at) VALUES (?1, ?2, ?3)
