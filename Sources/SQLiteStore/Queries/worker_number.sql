SELECT number FROM worker WHERE id = ?1
