INSERT INTO schedule (run_at, job) VALUES (?1, ?2)
