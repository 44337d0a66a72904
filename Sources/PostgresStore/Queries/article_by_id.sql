SELECT * FROM article_record WHERE id = $1
