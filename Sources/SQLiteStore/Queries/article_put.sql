-- An article that is there keeps what others rest on; what was not known of it is added.
INSERT INTO article (
    id, url, title, description, source, author, image, language, category, published_at, fetched_at, day, fingerprint,
    fingerprint_words, duplicate_of
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (id) DO UPDATE SET
    author = coalesce(author, excluded.author), image = coalesce(image, excluded.image),
    language = coalesce(language, excluded.language), category = coalesce(category, excluded.category)
RETURNING number
