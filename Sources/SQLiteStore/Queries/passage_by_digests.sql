SELECT p.digest, p.kind, p.source, p.part, p.owner, p.title, p.url, p.text, p.terms, p.written_at
FROM json_each(?1) AS wanted
CROSS JOIN passage AS p ON p.digest = wanted.value
WHERE p.owner IS NULL OR p.owner = ?2
ORDER BY p.number
