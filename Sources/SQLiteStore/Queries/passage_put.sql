-- Nobody takes over a passage of somebody else, and what was written earlier replaces nothing.
INSERT INTO passage AS p (kind, source, part, owner, title, url, text, terms, written_at, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, source, part) DO UPDATE
SET title = excluded.title, url = excluded.url, text = excluded.text, terms = excluded.terms,
    written_at = excluded.written_at, digest = excluded.digest
WHERE p.owner IS excluded.owner AND p.written_at <= excluded.written_at
