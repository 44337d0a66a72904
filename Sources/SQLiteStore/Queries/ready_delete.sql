DELETE FROM ready WHERE queue = ?1 AND rank = ?2 AND job = ?3
