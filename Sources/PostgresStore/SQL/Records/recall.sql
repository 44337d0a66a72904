-- Recall cards of users.

-- name: recall_cards
SELECT user_id, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user_id = $1::bigint AND id = ANY ($2::text[])

-- name: recall_due
SELECT user_id, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user_id = $1::bigint AND due_at <= $2::bigint
ORDER BY due_at, id
LIMIT $3::bigint OFFSET $4::bigint

-- name: recall_due_count
SELECT count(*) FROM recall_card WHERE user_id = $1::bigint AND due_at <= $2::bigint

-- name: recall_cards_after
SELECT user_id, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user_id = $1::bigint AND id > $2::text
ORDER BY id
LIMIT $3::bigint

-- name: recall_cards_latest
SELECT user_id, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user_id = $1::bigint
ORDER BY created_at DESC, id
LIMIT $2::bigint

-- name: recall_cards_of_source
SELECT user_id, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user_id = $1::bigint AND source = $2::text
ORDER BY id
LIMIT $3::bigint

-- name: recall_card_count
SELECT count(*) FROM recall_card WHERE user_id = $1::bigint

-- name: recall_cards_store
SELECT id FROM store_recall_cards($1::text, $2::bigint) AS stored (id)

-- name: recall_card_delete
DELETE FROM recall_card WHERE user_id = $1::bigint AND id = $2::text RETURNING id
