DELETE FROM lease WHERE worker = ?1 AND job = ?2
