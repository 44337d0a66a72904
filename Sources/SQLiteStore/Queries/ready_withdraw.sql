DELETE FROM ready WHERE queue = ?1 AND user = ?2 AND priority = ?3 AND job = ?4
