SELECT * FROM job_record WHERE id = ?1 AND (?2 IS NULL OR user = ?2)
