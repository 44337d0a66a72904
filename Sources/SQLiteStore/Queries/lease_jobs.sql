SELECT job FROM lease WHERE worker = ?1 ORDER BY job
