INSERT INTO job_input (job, input) VALUES (?1, ?2)
