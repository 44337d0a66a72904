SELECT p.digest, p.kind, p.source, p.part, p.owner, p.title, p.url, p.body, p.terms, p.written_at
FROM passage AS p
WHERE p.digest = ANY ($1::text[]) AND (p.owner IS NULL OR p.owner = $2::bigint)
ORDER BY p.number
