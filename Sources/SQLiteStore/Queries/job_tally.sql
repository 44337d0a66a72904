-- Jobs by kind and status, as rows of what they are, kind, status and number: 'job' for those submitted since ?1 (their
-- ids begin with the moment), and all that have not ended, by the places where they wait or run.
SELECT 'job', kind, status, count(*) FROM job WHERE id >= ?1 GROUP BY kind, status
UNION ALL
SELECT u.place, j.kind, j.status, count(*)
FROM (
    SELECT 'ready' AS place, job FROM ready
    UNION ALL SELECT 'scheduled', job FROM schedule
    UNION ALL SELECT 'waiting', job FROM waiting
    UNION ALL SELECT 'running', job FROM lease
) AS u
JOIN job AS j ON j.number = u.job
GROUP BY u.place, j.kind, j.status
UNION ALL
SELECT 'blocked', kind, status, count(*)
FROM job
WHERE concurrency_key IS NOT NULL AND completed_at IS NULL AND blocked = 1
GROUP BY kind, status
