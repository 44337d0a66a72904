SELECT j.id, j.epoch
FROM worker AS w
CROSS JOIN LATERAL (SELECT lease.job FROM lease WHERE lease.worker = w.number OFFSET 0) AS l
CROSS JOIN LATERAL (SELECT job.id, job.epoch FROM job WHERE job.number = l.job OFFSET 0) AS j
WHERE w.id = $1
