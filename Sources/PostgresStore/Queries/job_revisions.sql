SELECT j.id, j.revision + coalesce(l.revision - j.shared_job_revision, 0)
FROM unnest($1::uuid[]) AS asked (id)
CROSS JOIN LATERAL (
    SELECT job.id, job.revision, job.following, job.shared_job_revision FROM job WHERE job.id = asked.id OFFSET 0
) AS j
LEFT JOIN LATERAL (SELECT job.revision FROM job WHERE job.number = j.following OFFSET 0) AS l ON true
