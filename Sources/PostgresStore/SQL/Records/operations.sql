-- Operations on many jobs.

-- name: operation_prepare
WITH made AS (
    INSERT INTO operation (
        id, action, filter, user_id, note, actor_type, actor_id, actor_name, request_id, fingerprint, started_at
    )
    VALUES ($2, $3, $4, $5::bigint, $6, $7, $8, $9, $10, $11, coalesce($1::bigint, store_now()))
    ON CONFLICT DO NOTHING
    RETURNING *
), found AS (
    SELECT * FROM made UNION ALL SELECT * FROM operation WHERE id = $2
)
SELECT
    id, action, filter, user_id, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched,
    changed, skipped, failed, started_at, completed_at
FROM found

-- name: operation_add
-- Adds the jobs $3 from place $2 on.
INSERT INTO operation_job (operation, place, job)
SELECT $1, $2::bigint + j.number - 1, j.job FROM unnest($3::text[]) WITH ORDINALITY AS j (job, number)
ON CONFLICT DO NOTHING

-- name: operation_start
WITH begun AS (
    UPDATE operation AS o
    SET status = CASE $3::bigint WHEN 0 THEN 'completed' ELSE 'running' END, matched = $3::bigint,
        started_at = coalesce($1::bigint, store_now()),
        completed_at = CASE $3::bigint WHEN 0 THEN coalesce($1::bigint, store_now()) END
    WHERE o.id = $2 AND o.status = 'collecting'
    RETURNING o.*
), audited AS (
    SELECT write_audit($1, $4) FROM begun
), found AS (
    SELECT * FROM begun
    UNION ALL
    SELECT * FROM operation WHERE id = $2 AND status <> 'collecting'
)
SELECT
    f.id, f.action, f.filter, f.user_id, f.note, f.actor_type, f.actor_id, f.actor_name, f.request_id, f.fingerprint,
    f.status, f.matched, f.changed, f.skipped, f.failed, f.started_at, f.completed_at, (SELECT count(*) FROM audited)
FROM found AS f

-- name: operation_get
SELECT
    id, action, filter, user_id, note, actor_type, actor_id, actor_name, request_id, fingerprint, status, matched,
    changed, skipped, failed, started_at, completed_at
FROM operation
WHERE id = $1

-- name: operation_results
SELECT place, job, outcome, code
FROM operation_job
WHERE operation = $1 AND place > $2::bigint
ORDER BY place
LIMIT $3::bigint

-- name: operation_waiting
SELECT 1::bigint
FROM operation
WHERE status = 'running' AND (leased_until <= coalesce($1::bigint, store_now()) OR worker = $2)
LIMIT 1

-- name: operation_take
-- Lets the process $2 work on an operation until $3 milliseconds after $1.
UPDATE operation AS o SET worker = $2, leased_until = coalesce($1::bigint, store_now()) + $3::bigint
WHERE o.id = (
    SELECT n.id FROM operation AS n
    WHERE n.status = 'running' AND (n.leased_until <= coalesce($1::bigint, store_now()) OR n.worker = $2)
    ORDER BY n.started_at LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING
    o.id, o.action, o.filter, o.user_id, o.note, o.actor_type, o.actor_id, o.actor_name, o.request_id, o.fingerprint,
    o.status, o.matched, o.changed, o.skipped, o.failed, o.started_at, o.completed_at

-- name: operation_left
SELECT place, job, outcome, code
FROM operation_job
WHERE operation = $1 AND outcome IS NULL
ORDER BY place
LIMIT $2::bigint

-- name: operation_record
-- Notes the outcomes $5 with the codes $6 at the places $4, while the process $3 works on operation $2.
WITH held AS (
    SELECT o.id, o.matched FROM operation AS o WHERE o.id = $2 AND o.worker = $3 FOR UPDATE
), noted AS (
    UPDATE operation_job AS j SET outcome = n.outcome, code = n.code
    FROM held AS h, unnest($4::bigint[], $5::text[], $6::text[]) AS n (place, outcome, code)
    WHERE j.operation = h.id AND j.place = n.place AND j.outcome IS NULL
    RETURNING n.outcome
), counts AS (
    SELECT
        count(*) FILTER (WHERE outcome = 'changed') AS changed, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
        count(*) FILTER (WHERE outcome = 'failed') AS failed, count(*) AS done
    FROM noted
)
UPDATE operation AS o
SET changed = o.changed + c.changed, skipped = o.skipped + c.skipped, failed = o.failed + c.failed,
    status = CASE
        WHEN o.changed + o.skipped + o.failed + c.done >= o.matched THEN 'completed' ELSE o.status
    END,
    completed_at = CASE
        WHEN o.changed + o.skipped + o.failed + c.done >= o.matched THEN coalesce($1::bigint, store_now())
    END
FROM counts AS c, held AS h
WHERE o.id = h.id AND o.status = 'running'

-- name: audit_ids
SELECT id FROM audit WHERE id = ANY ($1::text[])

-- name: operations_delete
WITH gone AS (
    DELETE FROM operation AS o
    WHERE o.id IN (
        SELECT n.id FROM operation AS n
        WHERE coalesce(n.completed_at, n.started_at) < $1::bigint AND n.status <> 'running'
        LIMIT $2::bigint
    )
    RETURNING o.id
), jobs AS (
    DELETE FROM operation_job AS j USING gone AS g WHERE j.operation = g.id
)
SELECT 1::bigint FROM gone
