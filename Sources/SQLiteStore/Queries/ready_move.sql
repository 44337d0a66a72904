UPDATE ready SET rank = ?4 WHERE lane = ?1 AND rank = ?2 AND job = ?3
