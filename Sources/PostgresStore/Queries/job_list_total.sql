SELECT count(*)
FROM job AS j
LEFT JOIN job AS l ON l.number = j.following
WHERE j.user_id = $1::bigint AND ($2::text IS NULL OR coalesce(l.status, j.status) = $2::job_status)
    AND ($3::text IS NULL OR j.kind = $3)
