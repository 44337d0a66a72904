DELETE FROM ready WHERE lane = ?1 AND rank = ?2 AND job = ?3
