DELETE FROM article_signal WHERE made_at < ?1
