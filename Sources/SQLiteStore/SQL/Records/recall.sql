-- Recall cards of users.

-- name: recall_cards
SELECT user, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user = ?1 AND id IN (SELECT value FROM json_each(?2))

-- name: recall_due
SELECT user, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user = ?1 AND due_at <= ?2
ORDER BY due_at, id
LIMIT ?3 OFFSET ?4

-- name: recall_due_count
SELECT count(*) FROM recall_card WHERE user = ?1 AND due_at <= ?2

-- name: recall_cards_after
SELECT user, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user = ?1 AND id > ?2
ORDER BY id
LIMIT ?3

-- name: recall_cards_latest
SELECT user, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user = ?1
ORDER BY created_at DESC, id
LIMIT ?2

-- name: recall_cards_of_source
SELECT user, id, concept, source, content, schedule, due_at, revision, created_at
FROM recall_card
WHERE user = ?1 AND source = ?2
ORDER BY id
LIMIT ?3

-- name: recall_card_count
SELECT count(*) FROM recall_card WHERE user = ?1

-- name: recall_cards_store
-- Adds the cards of revision 0 up to the limit ?2 of a user, and changes the others over the revision before theirs.
INSERT INTO recall_card (user, id, concept, source, content, schedule, due_at, revision, created_at)
SELECT
    c.value ->> 'user', c.value ->> 'id', c.value ->> 'concept', c.value ->> 'source', c.value ->> 'content',
    c.value ->> 'schedule', c.value ->> 'due_at', c.value ->> 'revision', c.value ->> 'created_at'
FROM json_each(?1) AS c
WHERE
    EXISTS (SELECT 1 FROM recall_card AS k WHERE k.user = c.value ->> 'user' AND k.id = c.value ->> 'id')
    OR (
        c.value ->> 'revision' = 0
        AND (SELECT count(*) FROM recall_card AS k WHERE k.user = c.value ->> 'user') < ?2
    )
ON CONFLICT (user, id) DO UPDATE
SET concept = excluded.concept, source = excluded.source, content = excluded.content, schedule = excluded.schedule,
    due_at = excluded.due_at, revision = excluded.revision, created_at = excluded.created_at
WHERE recall_card.revision = excluded.revision - 1
RETURNING id

-- name: recall_card_delete
DELETE FROM recall_card WHERE user = ?1 AND id = ?2 RETURNING id
