DELETE FROM waiting WHERE kind = ?1 AND user = ?2 AND priority = ?3 AND job = ?4
