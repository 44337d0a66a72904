INSERT INTO job_result (job, result)
SELECT f.number, r.result
FROM job AS f
CROSS JOIN job_result AS r
WHERE f.following = ?1 AND r.job = ?1
