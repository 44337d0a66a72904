-- Users with waiting jobs, whoever waits longest first.
SELECT s.user
FROM user_concurrency AS s
WHERE s.kind = ?1 AND s.waiting > 0
ORDER BY (SELECT min(w.job) FROM waiting AS w WHERE w.kind = s.kind AND w.user = s.user)
