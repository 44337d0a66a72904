INSERT INTO waiting (kind, user, priority, job) VALUES (?1, ?2, ?3, ?4)
