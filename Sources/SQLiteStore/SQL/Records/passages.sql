-- Passages that answers may rest on, found by their terms or by the vectors of their texts.

-- name: passage_search
SELECT p.kind, p.source, p.part, p.owner, p.title, p.url, p.text, p.terms, p.written_at
FROM passage_index
JOIN passage AS p ON p.number = passage_index.rowid
WHERE passage_index MATCH (SELECT group_concat('"' || value || '"', ' OR ') FROM json_each(?1))
    AND (p.owner IS NULL OR p.owner = ?2)
ORDER BY bm25(passage_index), p.number
LIMIT ?3

-- name: passages_by_digest
SELECT p.digest, p.kind, p.source, p.part, p.owner, p.title, p.url, p.text, p.terms, p.written_at
FROM json_each(?1) AS wanted
CROSS JOIN passage AS p ON p.digest = wanted.value
WHERE p.owner IS NULL OR p.owner = ?2
ORDER BY p.number

-- name: passage_vectors
SELECT w.digest, v.model, v.components
FROM (
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
    UNION ALL
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = ?2
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
) AS w
CROSS JOIN passage_vector AS v ON v.digest = w.digest AND v.model = ?1
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC

-- name: passage_vectors_missing
SELECT w.digest
FROM (
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
    UNION ALL
    SELECT * FROM (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = ?2
        ORDER BY p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT ?3
    )
) AS w
WHERE w.digest IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passage_vector AS v WHERE v.digest = w.digest AND v.model = ?1)
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC

-- name: record_passage
-- A passage is replaced only by its owner, and not by one that was written earlier.
INSERT INTO passage AS p (kind, source, part, owner, title, url, text, terms, written_at, digest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (kind, source, part) DO UPDATE
SET title = excluded.title, url = excluded.url, text = excluded.text, terms = excluded.terms,
    written_at = excluded.written_at, digest = excluded.digest
WHERE p.owner IS excluded.owner AND p.written_at <= excluded.written_at

-- name: record_passage_vector
INSERT INTO passage_vector (digest, model, components)
SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM passage WHERE digest = ?1)
ON CONFLICT DO NOTHING

-- name: passages_delete_common
-- Passages that will be written again, ?2, are kept until then.
DELETE FROM passage
WHERE kind = ?1 AND owner IS NULL AND source || '/' || part NOT IN (SELECT value FROM json_each(?2))

-- name: passage_vectors_forget
DELETE FROM passage_vector
WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.digest = passage_vector.digest)
