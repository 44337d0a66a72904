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
