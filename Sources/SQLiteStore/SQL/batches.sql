-- Batches of model calls and their lines.

-- name: batch_line_get
SELECT state, try, coalesce(answer_packed, answer, '') FROM model_batch_line WHERE id = ?1

-- name: batch_line_insert
-- A line whose last answer was journalled, and that is asked again, begins anew.
INSERT OR REPLACE INTO model_batch_line (
    id, job, step, input_hash, provider, model, state, try, custom_id, hurried, last_chance, added_at, call, bytes,
    request, request_packed
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open', ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)

-- name: batch_line_by_custom_id
SELECT id, job, call, last_chance, try, provider, model
FROM model_batch_line
WHERE custom_id = ?1 AND batch = ?2 AND state = 'open'

-- name: batch_line_settle
UPDATE model_batch_line
SET state = ?2, answer = ?3, answer_packed = ?4, request = '', request_packed = NULL
WHERE id = ?1

-- name: batch_line_again
UPDATE model_batch_line SET batch = NULL, try = ?2, custom_id = ?3, alone = ?4, added_at = ?5 WHERE id = ?1

-- name: batch_line_journalled
UPDATE model_batch_line
SET state = 'journalled', answer = NULL, answer_packed = NULL
WHERE id = ?1 AND state = 'answered'

-- name: batch_line_seal
UPDATE model_batch_line SET batch = ?2 WHERE custom_id = ?1 AND batch IS NULL AND state = 'open'

-- name: batch_line_delete
DELETE FROM model_batch_line WHERE id = ?1

-- name: batch_lines_leaving
-- Gathering lines for a model whose job has ended, or makes the call at the full price by now.
SELECT l.id, l.job, l.call
FROM model_batch_line AS l
LEFT JOIN job AS j ON j.id = l.job
WHERE l.provider = ?1 AND l.model = ?2 AND l.state = 'open' AND l.batch IS NULL
    AND (l.last_chance <= ?3 OR j.id IS NULL OR j.completed_at IS NOT NULL)

-- name: batch_lines_gathered
SELECT job, step, input_hash, custom_id, call, coalesce(request_packed, request), added_at, try, alone
FROM model_batch_line
WHERE provider = ?1 AND model = ?2 AND state = 'open' AND batch IS NULL
ORDER BY alone DESC, added_at, id
LIMIT ?3

-- name: batch_lines_open
SELECT job, step, input_hash, custom_id, call, coalesce(request_packed, request), added_at, try, alone
FROM model_batch_line
WHERE batch = ?1 AND state = 'open'
ORDER BY added_at, id

-- name: batch_lines_forget
DELETE FROM model_batch_line
WHERE id IN (
    SELECT l.id
    FROM model_batch_line AS l
    WHERE l.added_at < ?1 AND l.state <> 'open'
    LIMIT ?2
)

-- name: batch_call_mark
UPDATE model_call SET service_tier = 'batch' WHERE id = ?1

-- name: batch_gatherings
SELECT provider, model, count(*), sum(bytes), min(added_at), max(added_at), max(hurried), max(alone)
FROM model_batch_line
WHERE state = 'open' AND batch IS NULL
GROUP BY provider, model
ORDER BY provider, model

-- name: batch_insert
INSERT INTO model_batch (id, provider, model, state, due_at, first_line_at, sealed_at, value)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- name: batch_next_due
SELECT id, provider, model, value, fence
FROM model_batch
WHERE due_at <= ?1 AND leased_until <= ?1 AND provider IN (SELECT value FROM json_each(?2))
ORDER BY due_at
LIMIT 1

-- name: batch_lease
UPDATE model_batch SET fence = fence + 1, leased_until = ?2 WHERE id = ?1

-- name: batch_fence
SELECT fence FROM model_batch WHERE id = ?1

-- name: batch_change
UPDATE model_batch
SET state = ?3, due_at = ?4, provider_id = ?5, collected_at = ?6, leased_until = ?7, value = ?8
WHERE id = ?1 AND fence = ?2

-- name: batch_provider_ids
SELECT provider_id FROM model_batch WHERE provider = ?1 AND provider_id IS NOT NULL AND sealed_at >= ?2

-- name: batch_list
SELECT
    b.id, b.provider, b.model, b.value,
    (SELECT count(*) FROM model_batch_line AS l WHERE l.batch = b.id AND l.state <> 'open'),
    (
        SELECT coalesce(sum(m.cost_micro_dollars), 0)
        FROM model_batch_line AS l
        JOIN model_call AS m ON m.id = l.call
        WHERE l.batch = b.id
    )
FROM model_batch AS b
ORDER BY b.due_at IS NULL, b.sealed_at DESC
LIMIT ?1

-- name: batch_times
SELECT collected_at - first_line_at
FROM model_batch
WHERE collected_at IS NOT NULL
ORDER BY collected_at DESC
LIMIT ?1

-- name: batch_forget
DELETE FROM model_batch
WHERE id IN (
    SELECT b.id
    FROM model_batch AS b
    WHERE b.collected_at < ?1 AND NOT EXISTS (SELECT * FROM model_batch_line AS l WHERE l.batch = b.id)
    LIMIT ?2
)
