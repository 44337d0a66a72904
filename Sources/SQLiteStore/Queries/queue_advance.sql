UPDATE queue SET virtual_time = ?2 WHERE name = ?1 AND virtual_time < ?2
