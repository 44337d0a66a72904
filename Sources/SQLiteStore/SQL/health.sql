-- name: health_integrity
-- `ok`, or what is broken, a line for each.
PRAGMA quick_check(5)

-- name: health_pages
SELECT
    (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count),
    (SELECT page_size FROM pragma_page_size)

-- name: health_jobs
-- Where unfinished jobs are, when the oldest was submitted, how many are past their deadline, and what retention has
-- left although it ended before ?2.
SELECT
    (SELECT count(*) FROM ready), (SELECT count(*) FROM schedule), (SELECT count(*) FROM waiting),
    (SELECT count(*) FROM job WHERE concurrency_key IS NOT NULL AND completed_at IS NULL AND blocked = 1),
    (SELECT count(*) FROM job WHERE following IS NOT NULL),
    (SELECT count(*) FROM lease),
    (SELECT min(created_at) FROM job WHERE completed_at IS NULL),
    (SELECT count(*) FROM job WHERE deadline <= ?1 AND completed_at IS NULL),
    (
        SELECT count(*)
        FROM job
        WHERE completed_at IS NOT NULL AND completed_at < ?2 AND (idempotency_key IS NULL OR created_at < ?3)
    )

-- name: health_misplaced_jobs
-- Unfinished jobs that are not where their state says: in `ready`, `schedule`, `waiting`, a lease, or with a
-- leader that goes on.
SELECT count(*)
FROM job AS j
WHERE j.completed_at IS NULL
    AND NOT CASE
        WHEN j.status = 'processing' THEN EXISTS (SELECT 1 FROM lease AS l WHERE l.worker = j.worker AND l.job = j.number)
        WHEN j.following IS NOT NULL THEN EXISTS (
            SELECT 1 FROM job AS l WHERE l.number = j.following AND l.completed_at IS NULL AND l.following IS NULL
        )
        WHEN j.blocked = 1 THEN j.concurrency_key IS NOT NULL
        WHEN j.run_at IS NOT NULL THEN EXISTS (SELECT 1 FROM schedule AS s WHERE s.run_at = j.run_at AND s.job = j.number)
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
-- Kinds and users whose count of slots or waiting jobs is not what their jobs add up to.
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
