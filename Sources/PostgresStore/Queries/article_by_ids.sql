SELECT r.* FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place)
JOIN article_record AS r ON r.id = wanted.id
ORDER BY wanted.place
