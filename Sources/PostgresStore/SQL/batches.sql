-- Batches of model calls and their lines. `Functions/model_batches.sql` has the functions.

-- name: set_withins
SELECT set_withins($1, $2)

-- name: ask_by_batch
SELECT outcome, answer, user_micro_dollars, service_micro_dollars, free_micro_dollars, day_end
FROM ask_by_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)

-- name: batch_gatherings
SELECT provider, model, count(*), sum(bytes)::bigint, min(added_at), max(added_at), bool_or(hurried), bool_or(alone)
FROM model_batch_line
WHERE state = 'open' AND batch IS NULL
GROUP BY provider, model
ORDER BY provider, model

-- name: batch_gathered_lines
SELECT job, step, input_hash, custom_id, call, request, added_at, try, alone FROM gathered_batch_lines($1, $2, $3, $4)

-- name: seal_batch
SELECT seal_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: take_batch
SELECT id, provider, model, value, fence FROM take_batch($1, $2, $3)

-- name: change_batch
SELECT change_batch($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: batch_open_lines
SELECT job, step, input_hash, custom_id, call, request, added_at, try, alone
FROM model_batch_line
WHERE batch = $1::text AND state = 'open'
ORDER BY added_at, id

-- name: settle_batch_lines
SELECT settle_batch_lines($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)

-- name: journal_batch_lines
SELECT journal_batch_lines($1, $2, $3)

-- name: batch_provider_ids
SELECT provider_id
FROM model_batch
WHERE provider = $1::text AND provider_id IS NOT NULL AND sealed_at >= $2::bigint

-- name: batch_list
SELECT
    b.id, b.provider, b.model, b.value,
    (SELECT count(*) FROM model_batch_line AS l WHERE l.batch = b.id AND l.state <> 'open'),
    (
        SELECT coalesce(sum(m.cost_micro_dollars), 0)::bigint
        FROM model_batch_line AS l
        JOIN model_call AS m ON m.id = l.call
        WHERE l.batch = b.id
    )
FROM model_batch AS b
ORDER BY b.due_at IS NULL, b.sealed_at DESC
LIMIT $1::bigint

-- name: batch_times
SELECT collected_at - first_line_at
FROM model_batch
WHERE collected_at IS NOT NULL
ORDER BY collected_at DESC
LIMIT $1::bigint

-- name: forget_batches
SELECT forget_batches($1, $2)
