INSERT INTO lease (worker, job) VALUES (?1, ?2)
