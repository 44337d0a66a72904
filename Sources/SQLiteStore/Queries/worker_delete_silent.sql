DELETE FROM worker WHERE id = ?1 AND beats = ?2 RETURNING number
