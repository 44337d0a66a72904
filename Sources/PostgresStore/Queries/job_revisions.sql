SELECT j.id, j.revision
FROM unnest($1::uuid[]) AS asked (id)
CROSS JOIN LATERAL (SELECT job.id, job.revision FROM job WHERE job.id = asked.id OFFSET 0) AS j
