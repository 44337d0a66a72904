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
