-- One page of a user's jobs, newest first, older than ?4.
SELECT *
FROM job_record
WHERE user = ?1 AND id < ?4 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR kind = ?3)
ORDER BY id DESC
LIMIT ?5 OFFSET ?6
