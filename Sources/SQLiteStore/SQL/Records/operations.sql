-- Operations on many jobs.

-- name: operation_prepare
INSERT INTO operation (
    id, action, filter, user, note, actor_type, actor_id, actor_name, request_id, fingerprint, started_at
)
VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?1)
ON CONFLICT DO NOTHING;
SELECT
    id, action, filter, user, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched, changed,
    skipped, failed, started_at, completed_at
FROM operation
WHERE id = ?2

-- name: operation_add
-- Adds the jobs ?3 from place ?2 on.
INSERT INTO operation_job (operation, place, job)
SELECT ?1, ?2 + j.key, j.value FROM json_each(?3) AS j WHERE true
ON CONFLICT DO NOTHING

-- name: operation_start
UPDATE operation SET status = 'running', matched = ?3, started_at = ?1 WHERE id = ?2 AND status = 'collecting';
INSERT INTO audit_writer (at, entry) SELECT ?1, ?4 WHERE changes() = 1;
UPDATE operation SET status = 'completed', completed_at = ?1 WHERE id = ?2 AND status = 'running' AND matched = 0;
SELECT
    id, action, filter, user, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched, changed,
    skipped, failed, started_at, completed_at
FROM operation
WHERE id = ?2

-- name: operation_get
SELECT
    id, action, filter, user, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched, changed,
    skipped, failed, started_at, completed_at
FROM operation
WHERE id = ?1

-- name: operation_results
SELECT place, job, outcome, code FROM operation_job WHERE operation = ?1 AND place > ?2 ORDER BY place LIMIT ?3

-- name: operation_waiting
SELECT 1 FROM operation WHERE status = 'running' AND (leased_until <= ?1 OR worker = ?2) LIMIT 1

-- name: operation_take
-- Lets the process ?2 work on an operation until ?3 milliseconds after ?1.
UPDATE operation SET worker = ?2, leased_until = ?1 + ?3
WHERE id = (
    SELECT id FROM operation
    WHERE status = 'running' AND (leased_until <= ?1 OR worker = ?2)
    ORDER BY started_at LIMIT 1
)
RETURNING
    id, action, filter, user, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched, changed,
    skipped, failed, started_at, completed_at

-- name: operation_left
SELECT place, job, outcome, code
FROM operation_job
WHERE operation = ?1 AND outcome IS NULL
ORDER BY place
LIMIT ?2

-- name: operation_record
-- Notes the outcomes ?5 with the codes ?6 at the places ?4, while the process ?3 works on operation ?2.
UPDATE operation
SET changed = operation.changed + n.changed, skipped = operation.skipped + n.skipped,
    failed = operation.failed + n.failed
FROM (
    SELECT
        count(*) FILTER (WHERE o.value = 'changed') AS changed, count(*) FILTER (WHERE o.value = 'skipped') AS skipped,
        count(*) FILTER (WHERE o.value = 'failed') AS failed
    FROM json_each(?4) AS p
    JOIN json_each(?5) AS o ON o.key = p.key
    JOIN operation_job AS j ON j.operation = ?2 AND j.place = p.value AND j.outcome IS NULL
) AS n
WHERE id = ?2 AND worker = ?3;
UPDATE operation_job
SET outcome = n.outcome, code = n.code
FROM (
    SELECT p.value AS place, o.value AS outcome, c.value AS code
    FROM json_each(?4) AS p
    JOIN json_each(?5) AS o ON o.key = p.key
    JOIN json_each(?6) AS c ON c.key = p.key
) AS n
WHERE operation = ?2 AND operation_job.place = n.place AND operation_job.outcome IS NULL
    AND EXISTS (SELECT 1 FROM operation WHERE id = ?2 AND worker = ?3);
UPDATE operation SET status = 'completed', completed_at = ?1
WHERE id = ?2 AND status = 'running' AND changed + skipped + failed >= matched

-- name: audit_ids
SELECT id FROM audit WHERE id IN (SELECT value FROM json_each(?1))

-- name: operations_delete
DELETE FROM operation_job
WHERE operation IN (
    SELECT id FROM operation WHERE coalesce(completed_at, started_at) < ?1 AND status <> 'running' LIMIT ?2
);
DELETE FROM operation
WHERE id IN (
    SELECT id FROM operation WHERE coalesce(completed_at, started_at) < ?1 AND status <> 'running' LIMIT ?2
)
RETURNING 1
