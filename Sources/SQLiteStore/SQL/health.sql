-- Checks for operators and counts for metrics.

-- name: health_integrity
-- `ok`, or one row for each problem.
PRAGMA quick_check(5)

-- name: health_pages
SELECT
    (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count),
    (SELECT page_size FROM pragma_page_size)

-- name: health_jobs
-- Numbers of unfinished jobs by place, the time of the oldest submit, the number of jobs past their deadline, and the
-- number of jobs that ended before ?2 and that retention has left.
SELECT
    (SELECT count(*) FROM ready), (SELECT count(*) FROM scheduled), (SELECT count(*) FROM waiting),
    (SELECT count(*) FROM job WHERE concurrency_key IS NOT NULL AND completed_at IS NULL AND blocked = 1),
    (SELECT count(*) FROM job WHERE subscribed_to IS NOT NULL),
    (SELECT count(*) FROM lease),
    (SELECT min(created_at) FROM job WHERE completed_at IS NULL),
    (SELECT count(*) FROM job WHERE deadline <= ?1 AND completed_at IS NULL),
    (
        SELECT count(*)
        FROM job
        WHERE completed_at IS NOT NULL AND completed_at < ?2 AND (idempotency_key IS NULL OR created_at < ?3)
    )

-- name: health_fleet
-- The numbers of leases at time ?1 whose jobs do not run, and of ready jobs that no registered worker can run.
SELECT
    (SELECT coalesce(sum(max(l.held - coalesce(w.running, 0), 0)), 0)
    FROM (SELECT worker, count(*) AS held FROM lease WHERE claimed_at <= ?1 - 5000 GROUP BY worker) AS l
    LEFT JOIN worker AS w ON w.number = l.worker),
    (
        SELECT count(*)
        FROM ready AS r
        JOIN job AS j ON j.number = r.job
        WHERE NOT EXISTS (
            SELECT 1
            FROM worker AS w
            WHERE j.kind NOT IN (SELECT key FROM json_each(w.abilities, '$.missing'))
                AND coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle)
                    NOT IN (SELECT value FROM json_each(w.abilities, '$.unreadable_bundles'))
        )
    )

-- name: health_misplaced_jobs
-- Unfinished jobs that are missing in the place of their state: `ready`, `scheduled`, `waiting`, a lease, or the
-- subscribers of an unfinished shared job.
SELECT count(*)
FROM job AS j
WHERE j.completed_at IS NULL
    AND NOT CASE
        WHEN j.status = 'processing' THEN EXISTS (
            SELECT 1 FROM lease AS l WHERE l.worker = j.worker AND l.job = j.number
        )
        WHEN j.subscribed_to IS NOT NULL THEN EXISTS (
            SELECT 1 FROM job AS s WHERE s.number = j.subscribed_to AND s.completed_at IS NULL AND s.subscribed_to IS NULL
        )
        WHEN j.blocked = 1 THEN j.concurrency_key IS NOT NULL
        WHEN j.run_at IS NOT NULL THEN EXISTS (
            SELECT 1 FROM scheduled AS s WHERE s.run_at = j.run_at AND s.job = j.number
        )
        WHEN j.waiting = 1 THEN EXISTS (
            SELECT 1
            FROM waiting AS w
            WHERE w.kind = j.kind AND w.user = j.user AND w.priority = j.priority AND w.job = j.number
        )
        ELSE EXISTS (
            SELECT 1
            FROM ready AS r
            WHERE r.queue = j.queue AND r.user = j.user AND r.priority = j.priority AND r.job = j.number
        )
    END

-- name: health_wrong_permit_counts
-- Kinds and users whose count of permits or waiting jobs contradicts their jobs.
WITH counted AS (
    SELECT
        kind, user, sum(status = 'processing' OR (blocked = 0 AND waiting = 0 AND run_at IS NULL)) AS taken,
        sum(waiting) AS waiting
    FROM job
    WHERE completed_at IS NULL AND limited = 1
    GROUP BY kind, user
)
SELECT
    (
        SELECT count(*)
        FROM user_concurrency AS s
        FULL JOIN counted AS c ON c.kind = s.kind AND c.user = s.user
        WHERE coalesce(s.taken, 0) <> coalesce(c.taken, 0) OR coalesce(s.waiting, 0) <> coalesce(c.waiting, 0)
    )
    + (
        SELECT count(*)
        FROM kind_limit AS l
        WHERE l.fleet IS NOT NULL
            AND l.taken <> (SELECT coalesce(sum(s.taken), 0) FROM user_concurrency AS s WHERE s.kind = l.kind)
    )

-- name: job_counts
-- Jobs by category, kind and status: 'job' for those submitted since ?1 (their ids begin with the time), ?3 in
-- milliseconds, the other categories for unfinished jobs by their place, 'unserved' for ready jobs that no registered
-- worker can run, and 'idle' for jobs that a worker has held for five seconds at time ?2 without running them. Scheduled
-- and blocked jobs have the reason, by the codes of operators. Each unfinished job is read once.
WITH unfinished AS MATERIALIZED (
    SELECT
        u.place, j.kind, j.status, j.bundle_number, j.bundle, j.id >= ?1 AS is_recent, CASE
            WHEN u.place = 'blocked' THEN 'serial'
            WHEN u.place <> 'scheduled' THEN NULL
            WHEN j.waits_for IS NOT NULL THEN substr(j.waits_for, 1, instr(j.waits_for || ' ', ' ') - 1)
            WHEN j.error_code IS NOT NULL THEN 'retry'
            WHEN j.within IS NOT NULL AND j.started_at IS NOT NULL THEN 'batch'
            ELSE 'scheduled'
        END AS reason, count(*) AS number
    FROM (
        SELECT 'ready' AS place, job FROM ready
        UNION ALL SELECT 'scheduled', job FROM scheduled
        UNION ALL SELECT 'waiting', job FROM waiting
        UNION ALL SELECT 'running', job FROM lease
        UNION ALL
        SELECT 'blocked', number
        FROM job
        WHERE concurrency_key IS NOT NULL AND completed_at IS NULL AND blocked = 1
        UNION ALL
        SELECT 'subscriber', number FROM job WHERE subscribed_to IS NOT NULL AND completed_at IS NULL
    ) AS u
    JOIN job AS j ON j.number = u.job
    GROUP BY 1, 2, 3, 4, 5, 6, 7
)
SELECT 'job', kind, status, sum(number), NULL
FROM (
    SELECT kind, status, number FROM unfinished WHERE is_recent
    UNION ALL
    SELECT kind, status, count(*) FROM job WHERE completed_at >= ?3 AND id >= ?1 GROUP BY kind, status
)
GROUP BY kind, status
UNION ALL
SELECT place, kind, status, sum(number), reason
FROM unfinished
WHERE place <> 'subscriber'
GROUP BY place, kind, status, reason
UNION ALL
SELECT 'unserved', u.kind, u.status, sum(u.number), NULL
FROM unfinished AS u
WHERE u.place = 'ready' AND NOT EXISTS (
    SELECT 1
    FROM worker AS w
    WHERE u.kind NOT IN (SELECT key FROM json_each(w.abilities, '$.missing'))
        AND coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = u.bundle_number), u.bundle)
            NOT IN (SELECT value FROM json_each(w.abilities, '$.unreadable_bundles'))
)
GROUP BY u.kind, u.status
UNION ALL
SELECT 'idle', '', 'processing', i.number, NULL
FROM (
    SELECT coalesce(sum(max(l.held - coalesce(w.running, 0), 0)), 0) AS number
    FROM (SELECT worker, count(*) AS held FROM lease WHERE claimed_at <= ?2 - 5000 GROUP BY worker) AS l
    LEFT JOIN worker AS w ON w.number = l.worker
) AS i
WHERE i.number > 0

-- name: job_times
SELECT e.kind, e.completed_at - e.started_at
FROM (
    SELECT kind, status, started_at, completed_at, within
    FROM job
    WHERE completed_at IS NOT NULL
    ORDER BY completed_at DESC
    LIMIT ?1
) AS e
WHERE e.status = 'completed' AND e.started_at IS NOT NULL AND e.within IS NULL
