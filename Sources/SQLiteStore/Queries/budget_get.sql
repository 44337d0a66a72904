SELECT state FROM budget WHERE name = ?1
