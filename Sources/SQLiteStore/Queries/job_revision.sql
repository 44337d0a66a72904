SELECT j.revision + coalesce((SELECT l.revision - j.shared_job_revision FROM job AS l WHERE l.number = j.following), 0)
FROM job AS j
WHERE j.id = ?1
