DELETE FROM user_concurrency WHERE kind = ?1 AND user = ?2
