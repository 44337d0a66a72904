SELECT * FROM article_record WHERE url = $1 ORDER BY number LIMIT 1
