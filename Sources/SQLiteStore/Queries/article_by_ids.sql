SELECT r.* FROM json_each(?1) AS wanted JOIN article_record AS r ON r.id = wanted.value ORDER BY wanted.key
