INSERT INTO job_result (job, result) VALUES (?1, ?2)
