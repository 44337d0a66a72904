SELECT user FROM job WHERE id = ?1
