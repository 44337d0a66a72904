-- News articles, found by id, address, time, symbol or words; with the results of models for them, and their sources.

-- name: article_by_id
SELECT * FROM article_record WHERE id = ?1

-- name: article_by_url
SELECT * FROM article_record WHERE url = ?1 ORDER BY number LIMIT 1

-- name: article_by_ids
SELECT r.* FROM json_each(?1) AS wanted JOIN article_record AS r ON r.id = wanted.value ORDER BY wanted.key

-- name: article_list
SELECT * FROM article_record
WHERE duplicate_of IS NULL AND published_at >= ?1 AND published_at < ?2 AND (published_at, id) < (?3, ?4)
ORDER BY published_at DESC, id DESC
LIMIT ?5 OFFSET ?6

-- name: article_list_of_category
SELECT * FROM article_record
WHERE duplicate_of IS NULL AND category = ?7 AND published_at >= ?1 AND published_at < ?2
    AND (published_at, id) < (?3, ?4)
ORDER BY published_at DESC, id DESC
LIMIT ?5 OFFSET ?6

-- name: article_list_of_tickers
SELECT * FROM article_record
WHERE number IN (SELECT article FROM article_ticker WHERE ticker IN (SELECT value FROM json_each(?8)))
    AND duplicate_of IS NULL AND (?7 IS NULL OR category = ?7) AND published_at >= ?1 AND published_at < ?2
    AND (published_at, id) < (?3, ?4)
ORDER BY published_at DESC, id DESC
LIMIT ?5 OFFSET ?6

-- name: article_count
SELECT count(*) FROM article
WHERE duplicate_of IS NULL AND published_at >= ?1 AND published_at < ?2 AND (?3 IS NULL OR category = ?3)

-- name: article_count_of_tickers
SELECT count(*) FROM article
WHERE number IN (SELECT article FROM article_ticker WHERE ticker IN (SELECT value FROM json_each(?4)))
    AND duplicate_of IS NULL AND published_at >= ?1 AND published_at < ?2 AND (?3 IS NULL OR category = ?3)

-- name: article_arrivals
-- The texts are left out.
SELECT
    number, id, url, title, description, NULL, source, author, image, language, category,
    (SELECT group_concat(ticker, ' ') FROM article_ticker WHERE article = a.number),
    published_at, fetched_at, day, fingerprint, fingerprint_words, duplicate_of
FROM article AS a
WHERE day = ?1 AND duplicate_of IS NULL
ORDER BY fetched_at, published_at, id

-- name: article_fingerprints
SELECT id, fingerprint, fingerprint_words, duplicate_of
FROM article
WHERE fetched_at >= ?1
ORDER BY fetched_at, published_at, id

-- name: article_vectors
SELECT a.id, v.model, v.components
FROM json_each(?1) AS wanted
JOIN article AS a ON a.id = wanted.value
JOIN article_vector AS v ON v.article = a.number

-- name: article_vectors_latest
SELECT a.id, v.model, v.components
FROM (
    SELECT number, id, published_at
    FROM article
    WHERE duplicate_of IS NULL
    ORDER BY published_at DESC, id DESC
    LIMIT ?2
) AS a
CROSS JOIN article_vector AS v ON v.article = a.number
WHERE v.model = ?1
ORDER BY a.published_at DESC, a.id DESC

-- name: article_search
SELECT r.*
FROM article_index
JOIN article_record AS r ON r.number = article_index.rowid
WHERE article_index MATCH (SELECT group_concat('"' || value || '"', ' ') FROM json_each(?1))
    AND r.duplicate_of IS NULL AND (?2 IS NULL OR r.category = ?2)
ORDER BY r.published_at DESC, r.id DESC
LIMIT ?3 OFFSET ?4

-- name: article_search_count
SELECT count(*)
FROM article_index
JOIN article AS a ON a.number = article_index.rowid
WHERE article_index MATCH (SELECT group_concat('"' || value || '"', ' ') FROM json_each(?1))
    AND a.duplicate_of IS NULL AND (?2 IS NULL OR a.category = ?2)

-- name: article_search_any
SELECT r.*
FROM article_index
JOIN article_record AS r ON r.number = article_index.rowid
WHERE article_index MATCH (SELECT group_concat('"' || value || '"', ' OR ') FROM json_each(?1))
    AND r.duplicate_of IS NULL
ORDER BY bm25(article_index), r.id
LIMIT ?2

-- name: article_signals
SELECT s.user, s.url, s.signal, s.made_at
FROM json_each(?1) AS u
CROSS JOIN article_signal AS s ON s.user = u.value AND s.url IN (SELECT value FROM json_each(?2))

-- name: news_sources
SELECT s.source, s.etag, s.last_modified, s.asked_at, s.failures, s.problem
FROM news_source AS s
WHERE s.source IN (SELECT value FROM json_each(?1))
ORDER BY s.source

-- name: record_article
-- A stored article keeps the fields that other records depend on, gains those that were unknown, and keeps the longer
-- text. Only a caller that knows the stored name of the publication replaces it, and never by an empty one.
INSERT INTO article (
    id, url, title, description, source, author, image, language, category, published_at, fetched_at, day, fingerprint,
    fingerprint_words, duplicate_of
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (id) DO UPDATE SET
    source = CASE WHEN excluded.source = '' THEN source ELSE excluded.source END,
    author = coalesce(author, excluded.author), image = coalesce(image, excluded.image),
    language = coalesce(language, excluded.language), category = coalesce(category, excluded.category);
INSERT INTO article_text (article, text) SELECT number, ?16 FROM article WHERE id = ?1 AND ?16 IS NOT NULL
ON CONFLICT (article) DO UPDATE SET text = excluded.text WHERE length(excluded.text) > length(article_text.text);
INSERT INTO article_ticker (ticker, article)
SELECT t.value, a.number FROM article AS a CROSS JOIN json_each(?17) AS t WHERE a.id = ?1
ON CONFLICT DO NOTHING

-- name: record_article_vector
INSERT INTO article_vector (article, model, components)
SELECT number, ?2, ?3 FROM article WHERE id = ?1
ON CONFLICT DO NOTHING

-- name: record_article_signal
-- Signals from before ?4 are forgotten.
INSERT INTO article_signal (user, url, signal, made_at) VALUES (?5, ?1, ?2, ?3)
ON CONFLICT (user, url) DO UPDATE SET signal = excluded.signal, made_at = excluded.made_at
WHERE excluded.made_at >= article_signal.made_at;
DELETE FROM article_signal WHERE made_at < ?4

-- name: record_news_source
INSERT INTO news_source (source, etag, last_modified, asked_at, failures, problem)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (source) DO UPDATE SET
    etag = excluded.etag, last_modified = excluded.last_modified, asked_at = excluded.asked_at,
    failures = excluded.failures, problem = excluded.problem

-- name: record_news_retention
-- Forgets at most ?3 articles and as many stories.
DELETE FROM article WHERE number IN (SELECT number FROM article WHERE fetched_at < ?1 ORDER BY fetched_at LIMIT ?3);
DELETE FROM story WHERE number IN (SELECT number FROM story WHERE day < ?2 ORDER BY day LIMIT ?3)
