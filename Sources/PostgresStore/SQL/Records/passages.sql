-- Passages that answers may rest on, found by their terms or by the vectors of their texts.

-- name: passage_search
-- Terms consist of letters and digits, so that quotes suffice to escape them.
SELECT p.kind, p.source, p.part, p.owner, p.title, p.url, p.body, p.terms, p.written_at
FROM passage AS p
CROSS JOIN (SELECT string_agg('''' || t || '''', ' | ')::tsquery AS query FROM unnest($1::text[]) AS t) AS q
WHERE p.index @@ q.query AND (p.owner IS NULL OR p.owner = $2::bigint)
ORDER BY ts_rank(p.index, q.query) DESC, p.number
LIMIT $3::bigint

-- name: passages_by_digest
SELECT p.digest, p.kind, p.source, p.part, p.owner, p.title, p.url, p.body, p.terms, p.written_at
FROM passage AS p
WHERE p.digest = ANY ($1::text[]) AND (p.owner IS NULL OR p.owner = $2::bigint)
ORDER BY p.number

-- name: passage_vectors
SELECT w.digest, v.model, v.components
FROM (
    (
        -- The owner is part of the order so that the index can return it.
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
    UNION ALL
    (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = $2::bigint
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
) AS w
CROSS JOIN LATERAL (
    SELECT * FROM passage_vector WHERE digest = w.digest AND model = $1::text LIMIT 1
) AS v
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC

-- name: passage_vectors_missing
SELECT w.digest
FROM (
    (
        -- The owner is part of the order so that the index can return it.
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner IS NULL
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
    UNION ALL
    (
        SELECT p.digest, p.written_at, p.number
        FROM passage AS p
        WHERE p.owner = $2::bigint
        ORDER BY p.owner DESC, p.written_at = 0 DESC, p.written_at DESC, p.number DESC
        LIMIT $3::bigint
    )
) AS w
LEFT JOIN LATERAL (
    SELECT digest FROM passage_vector WHERE digest = w.digest AND model = $1::text LIMIT 1
) AS v ON true
WHERE v.digest IS NULL
ORDER BY w.written_at = 0 DESC, w.written_at DESC, w.number DESC

-- name: passages_replace
SELECT replace_common_passages($1::text, $2::text[], $3::bigint)
