-- Without the texts.
SELECT
    number, id, url, title, description, NULL::text, source, author, image, language, category,
    (SELECT string_agg(ticker, ' ') FROM article_ticker WHERE article = a.number),
    published_at, fetched_at, day, fingerprint, fingerprint_words, duplicate_of
FROM article AS a
WHERE day = $1 AND duplicate_of IS NULL
ORDER BY fetched_at, published_at, id COLLATE "C"
