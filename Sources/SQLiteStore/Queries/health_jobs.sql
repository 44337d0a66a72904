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
