SELECT r.*, result.result
FROM job_record AS r
LEFT JOIN job_result AS result ON result.job = r.number
WHERE r.id = ?1 AND (?2 IS NULL OR r.user = ?2)
