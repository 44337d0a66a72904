DELETE FROM worker WHERE id = ?1 RETURNING number
