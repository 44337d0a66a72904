SELECT p.kind, p.source, p.part, p.owner, p.title, p.url, p.text, p.terms, p.written_at
FROM passage_index
JOIN passage AS p ON p.number = passage_index.rowid
WHERE passage_index MATCH ?1 AND (p.owner IS NULL OR p.owner = ?2)
ORDER BY bm25(passage_index), p.number
LIMIT ?3
