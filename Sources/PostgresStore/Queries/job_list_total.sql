SELECT count(*)
FROM job
WHERE user_id = $1::bigint AND ($2::text IS NULL OR status = $2::job_status) AND ($3::text IS NULL OR kind = $3)
