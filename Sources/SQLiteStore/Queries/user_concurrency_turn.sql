UPDATE user_concurrency SET turn = ?3 WHERE kind = ?1 AND user = ?2
