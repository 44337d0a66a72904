UPDATE user_concurrency SET turn = NULL WHERE kind = ?1 AND turn IS NOT NULL
