-- Readings for operators and metrics.

-- name: job_counts
-- Counts of jobs by kind and status: 'job' for those submitted since $1 (ids begin with the time of submission), one row
-- for each table in which unfinished jobs wait or run, 'unserved' for ready jobs that no registered worker can run, and
-- 'idle' for jobs that a worker has held for five seconds without running them. Scheduled and blocked jobs have the
-- reason, by the codes of operators. Each unfinished job is read once, which takes two seconds for a million.
WITH bound AS (
    SELECT (lpad(to_hex(greatest($1::bigint, 0)), 12, '0') || '00000000000000000000')::uuid AS id
), unfinished AS MATERIALIZED (
    SELECT
        u.place, j.kind, j.status, j.bundle, j.id >= b.id AS is_recent, CASE
            WHEN u.place = 'blocked' THEN 'serial'
            WHEN u.place <> 'scheduled' THEN NULL
            WHEN j.waits_for IS NOT NULL THEN split_part(j.waits_for, ' ', 1)
            WHEN j.error_code IS NOT NULL THEN 'retry'
            WHEN j.within IS NOT NULL AND j.started_at IS NOT NULL THEN 'batch'
            ELSE 'scheduled'
        END AS reason, count(*) AS number
    FROM (
        SELECT 'ready' AS place, job FROM ready
        UNION ALL SELECT 'scheduled', job FROM scheduled
        UNION ALL SELECT 'waiting', job FROM waiting
        UNION ALL SELECT 'blocked', job FROM serialized_job WHERE NOT holds
        UNION ALL SELECT 'running', job FROM lease
        UNION ALL SELECT 'subscriber', job FROM subscriber
    ) AS u
    JOIN ONLY job AS j ON j.number = u.job
    CROSS JOIN bound AS b
    GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT 'job' AS what, r.kind, r.status::text, sum(r.number)::bigint AS number, NULL::text AS reason
FROM (
    SELECT kind, status, number FROM unfinished WHERE is_recent
    UNION ALL
    SELECT kind, status, count(*)
    FROM ONLY job
    WHERE completed_at >= $1::bigint AND id >= (SELECT id FROM bound)
    GROUP BY kind, status
    UNION ALL
    SELECT kind, status, count(*) FROM finished_job WHERE id >= (SELECT id FROM bound) GROUP BY kind, status
) AS r
GROUP BY r.kind, r.status
UNION ALL
SELECT place, kind, status::text, sum(number)::bigint, reason
FROM unfinished
WHERE place <> 'subscriber'
GROUP BY place, kind, status, reason
UNION ALL
SELECT 'unserved', u.kind, u.status::text, sum(u.number)::bigint, NULL
FROM unfinished AS u
WHERE u.place = 'ready' AND NOT EXISTS (
    SELECT
    FROM worker AS w
    WHERE NOT coalesce(w.abilities::jsonb -> 'missing' ? u.kind, false)
        AND NOT coalesce(w.abilities::jsonb -> 'unreadable_bundles' ? u.bundle, false)
)
GROUP BY u.kind, u.status
UNION ALL
SELECT 'idle', '', 'processing', i.number, NULL
FROM (
    SELECT coalesce(sum(greatest(l.held - coalesce(w.running, 0), 0)), 0)::bigint AS number
    FROM (
        SELECT worker, count(*) AS held
        FROM lease
        WHERE claimed_at <= coalesce($2::bigint, store_now()) - 5000
        GROUP BY worker
    ) AS l
    LEFT JOIN worker AS w ON w.number = l.worker
) AS i
WHERE i.number > 0

-- name: health
-- Readings for operators, as rows of name and number. Durations are in milliseconds: an unfinished job is overdue $1
-- after its deadline; a job that ended $2 ago, and has no idempotency key younger than $3, should have been deleted.
SELECT 'invalid_indexes' AS name, count(*)::bigint AS value FROM pg_index WHERE NOT indisvalid
UNION ALL SELECT 'database_bytes', pg_database_size(current_database())
UNION ALL SELECT 'dead_rows', coalesce(sum(n_dead_tup), 0)::bigint FROM pg_stat_user_tables
UNION ALL
SELECT
    'oldest_transaction_seconds',
    coalesce(max(extract(EPOCH FROM clock_timestamp() - xact_start)), 0)::bigint
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
UNION ALL SELECT 'jobs_ready', count(*) FROM ready
UNION ALL SELECT 'jobs_scheduled', count(*) FROM scheduled
UNION ALL SELECT 'jobs_waiting', count(*) FROM waiting
UNION ALL SELECT 'jobs_blocked', count(*) FROM serialized_job WHERE NOT holds
UNION ALL SELECT 'jobs_following', count(*) FROM subscriber
UNION ALL SELECT 'leases', count(*) FROM lease
UNION ALL SELECT 'leases_idle', (SELECT coalesce(sum(greatest(l.held - coalesce(w.running, 0), 0)), 0)::bigint
    FROM (
        SELECT worker, count(*) AS held
        FROM lease
        WHERE claimed_at <= coalesce($4::bigint, store_now()) - 5000
        GROUP BY worker
    ) AS l
    LEFT JOIN worker AS w ON w.number = l.worker)
UNION ALL SELECT 'jobs_unserved', (
    SELECT count(*)
    FROM ready AS r
    JOIN job AS j ON j.number = r.job
    WHERE NOT EXISTS (
        SELECT
        FROM worker AS w
        WHERE NOT coalesce(w.abilities::jsonb -> 'missing' ? j.kind, false)
            AND NOT coalesce(w.abilities::jsonb -> 'unreadable_bundles' ? j.bundle, false)
    )
)
UNION ALL
SELECT 'oldest_unfinished_seconds', (coalesce($4::bigint, store_now()) - min(created_at)) / 1000
FROM job
WHERE completed_at IS NULL
UNION ALL SELECT 'jobs_overdue', count(*) FROM job
WHERE deadline <= coalesce($4::bigint, store_now()) - $1::bigint AND completed_at IS NULL
UNION ALL
SELECT 'jobs_to_delete', count(*)
FROM job
WHERE completed_at < coalesce($4::bigint, store_now()) - $2::bigint
    AND (idempotency_key IS NULL OR created_at < coalesce($4::bigint, store_now()) - $3::bigint)
UNION ALL
SELECT 'jobs_lost', count(*)
FROM job AS j
WHERE j.completed_at IS NULL
    AND NOT CASE
        WHEN j.status = 'processing' THEN EXISTS (
            SELECT FROM lease AS l WHERE l.worker = j.worker AND l.job = j.number
        )
        WHEN j.subscribed_to IS NOT NULL THEN EXISTS (
            SELECT
            FROM subscriber AS s
            JOIN job AS shared ON shared.number = s.shared_job
            WHERE s.shared_job = j.subscribed_to AND s.job = j.number AND shared.completed_at IS NULL
                AND shared.subscribed_to IS NULL
        )
        WHEN j.blocked THEN EXISTS (
            SELECT
            FROM serialized_job AS s
            WHERE s.user_id = j.user_id AND s.concurrency_key = j.concurrency_key AND s.job = j.number
                AND NOT s.holds
        )
        WHEN j.run_at IS NOT NULL THEN EXISTS (
            SELECT FROM scheduled AS s WHERE s.run_at = j.run_at AND s.job = j.number
        )
        WHEN j.waiting THEN EXISTS (
            SELECT
            FROM waiting AS w
            WHERE w.kind = j.kind AND w.user_id = j.user_id AND w.priority = j.priority AND w.job = j.number
        )
        ELSE EXISTS (
            SELECT
            FROM ready AS r
            WHERE r.queue = j.queue AND r.user_id = j.user_id AND r.priority = j.priority AND r.job = j.number
        )
    END
UNION ALL
SELECT
    'slots_wrong',
    (
        SELECT count(*)
        FROM user_concurrency AS s
        FULL JOIN (
            SELECT
                kind, user_id,
                count(*) FILTER (
                    WHERE status = 'processing' OR (NOT blocked AND NOT waiting AND run_at IS NULL)
                ) AS taken,
                count(*) FILTER (WHERE waiting) AS waiting
            FROM job
            WHERE completed_at IS NULL AND limited
            GROUP BY kind, user_id
        ) AS c ON c.kind = s.kind AND c.user_id = s.user_id
        WHERE coalesce(s.taken, 0) <> coalesce(c.taken, 0) OR coalesce(s.waiting, 0) <> coalesce(c.waiting, 0)
    )
    + (
        SELECT count(*)
        FROM kind_limit AS l
        WHERE l.fleet IS NOT NULL
            AND l.taken <> (SELECT coalesce(sum(s.taken), 0) FROM user_concurrency AS s WHERE s.kind = l.kind)
    )

-- name: durability_settings
-- The server's settings on which the promises of the store rest, as new sessions of this database get them.
SELECT name, reset_val
FROM pg_settings
WHERE name IN (
    'fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'default_transaction_isolation'
)

-- name: job_times
-- The start of an ended job is packed, as in the view of jobs.
SELECT e.kind, e.completed_at - e.started_at
FROM (
    SELECT
        j.kind, j.status, j.completed_at, j.within,
        coalesce(j.started_at, j.created_at + nullif(j.times & 2147483647, 0) - 1) AS started_at
    FROM job AS j
    WHERE j.completed_at IS NOT NULL
    ORDER BY j.completed_at DESC
    LIMIT $1::bigint
) AS e
WHERE e.status = 'completed' AND e.started_at IS NOT NULL AND e.within IS NULL
