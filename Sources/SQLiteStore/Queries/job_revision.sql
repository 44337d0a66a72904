SELECT revision FROM job WHERE id = ?1
