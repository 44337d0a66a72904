-- Jobs by kind and status, as rows of what they are, kind, status and number: 'job' for those submitted since $1 (their
-- ids begin with the moment), 'unfinished' for all that have not ended, from the places where they wait or run.
SELECT 'job' AS what, kind, status::text, count(*) AS number
FROM job
WHERE id >= (lpad(to_hex(greatest($1::bigint, 0)), 12, '0') || '00000000000000000000')::uuid
GROUP BY kind, status
UNION ALL
SELECT u.place, j.kind, j.status::text, count(*)
FROM (
    SELECT 'ready' AS place, job FROM ready
    UNION ALL SELECT 'scheduled', job FROM schedule
    UNION ALL SELECT 'waiting', job FROM waiting
    UNION ALL SELECT 'blocked', job FROM serial_line WHERE NOT holds
    UNION ALL SELECT 'running', job FROM lease
) AS u
JOIN job AS j ON j.number = u.job
GROUP BY u.place, j.kind, j.status
