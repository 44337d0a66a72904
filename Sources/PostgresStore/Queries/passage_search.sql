-- Terms are letters and digits, so that quotes around them are enough.
SELECT p.kind, p.source, p.part, p.owner, p.title, p.url, p.body, p.terms, p.written_at
FROM passage AS p
CROSS JOIN (SELECT string_agg('''' || t || '''', ' | ')::tsquery AS query FROM unnest($1::text[]) AS t) AS q
WHERE p.index @@ q.query AND (p.owner IS NULL OR p.owner = $2::bigint)
ORDER BY ts_rank(p.index, q.query) DESC, p.number
LIMIT $3::bigint
