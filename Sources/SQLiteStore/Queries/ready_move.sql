UPDATE ready SET rank = ?4 WHERE queue = ?1 AND rank = ?2 AND job = ?3
