-- News articles, found by id, address, time, symbol or words; with the results of models for them, and their sources.

-- name: article_by_id
SELECT * FROM article_record WHERE id = $1

-- name: article_by_url
SELECT * FROM article_record WHERE url = $1 ORDER BY number LIMIT 1

-- name: article_by_ids
SELECT r.* FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place)
JOIN article_record AS r ON r.id = wanted.id
ORDER BY wanted.place

-- name: article_list
SELECT * FROM article_record
WHERE duplicate_of IS NULL AND published_at >= $1 AND published_at < $2
    AND (published_at, id COLLATE "C") < ($3, $4)
ORDER BY published_at DESC, id COLLATE "C" DESC
LIMIT $5 OFFSET $6

-- name: article_list_of_category
SELECT * FROM article_record
WHERE duplicate_of IS NULL AND category = $7 AND published_at >= $1 AND published_at < $2
    AND (published_at, id COLLATE "C") < ($3, $4)
ORDER BY published_at DESC, id COLLATE "C" DESC
LIMIT $5 OFFSET $6

-- name: article_list_of_tickers
SELECT * FROM article_record
WHERE number IN (SELECT article FROM article_ticker WHERE ticker = ANY ($8))
    AND duplicate_of IS NULL AND ($7::text IS NULL OR category = $7) AND published_at >= $1 AND published_at < $2
    AND (published_at, id COLLATE "C") < ($3, $4)
ORDER BY published_at DESC, id COLLATE "C" DESC
LIMIT $5 OFFSET $6

-- name: article_count
SELECT count(*) FROM article
WHERE duplicate_of IS NULL AND published_at >= $1 AND published_at < $2 AND ($3::text IS NULL OR category = $3)

-- name: article_count_of_tickers
SELECT count(*) FROM article
WHERE number IN (SELECT article FROM article_ticker WHERE ticker = ANY ($4))
    AND duplicate_of IS NULL AND published_at >= $1 AND published_at < $2 AND ($3::text IS NULL OR category = $3)

-- name: article_arrivals
-- The texts are left out.
SELECT
    number, id, url, title, description, NULL::text, source, author, image, language, category,
    (SELECT string_agg(ticker, ' ') FROM article_ticker WHERE article = a.number),
    published_at, fetched_at, day, fingerprint, fingerprint_words, duplicate_of
FROM article AS a
WHERE day = $1 AND duplicate_of IS NULL
ORDER BY fetched_at, published_at, id COLLATE "C"

-- name: article_fingerprints
SELECT id, fingerprint, fingerprint_words, duplicate_of
FROM article
WHERE fetched_at >= $1
ORDER BY fetched_at, published_at, id COLLATE "C"

-- name: article_vectors
SELECT a.id, v.model, v.components
FROM article AS a
JOIN article_vector AS v ON v.article = a.number
WHERE a.id = ANY ($1)

-- name: article_vectors_latest
SELECT a.id, v.model, v.components
FROM (
    SELECT number, id, published_at
    FROM article
    WHERE duplicate_of IS NULL
    ORDER BY published_at DESC, id COLLATE "C" DESC
    LIMIT $2::bigint
) AS a
CROSS JOIN LATERAL (SELECT * FROM article_vector WHERE article = a.number LIMIT 1) AS v
WHERE v.model = $1::text
ORDER BY a.published_at DESC, a.id COLLATE "C" DESC

-- name: article_search
SELECT r.*
FROM article_index AS i
JOIN article_record AS r ON r.number = i.article
WHERE i.words @@ plainto_tsquery('english', array_to_string($1::text[], ' ')) AND r.duplicate_of IS NULL
    AND ($2::text IS NULL OR r.category = $2::text)
ORDER BY r.published_at DESC, r.id COLLATE "C" DESC
LIMIT $3::bigint OFFSET $4::bigint

-- name: article_search_count
SELECT count(*)
FROM article_index AS i
JOIN article AS a ON a.number = i.article
WHERE i.words @@ plainto_tsquery('english', array_to_string($1::text[], ' ')) AND a.duplicate_of IS NULL
    AND ($2::text IS NULL OR a.category = $2::text)

-- name: article_search_any
-- Words consist of letters and digits, so that none of them holds an operator.
SELECT r.*
FROM article_index AS i
JOIN article_record AS r ON r.number = i.article
CROSS JOIN to_tsquery('english', array_to_string($1::text[], ' | ')) AS q (query)
WHERE i.words @@ q.query AND r.duplicate_of IS NULL
ORDER BY ts_rank(i.words, q.query) DESC, r.id COLLATE "C"
LIMIT $2::bigint

-- name: article_signals
SELECT user_id, url, signal, made_at FROM article_signal WHERE user_id = ANY ($1::bigint[]) AND url = ANY ($2::text[])

-- name: news_sources
SELECT source, etag, last_modified, asked_at, failures, problem
FROM news_source
WHERE source = ANY ($1)
ORDER BY source COLLATE "C"
