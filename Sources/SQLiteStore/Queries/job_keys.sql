SELECT join_key FROM job WHERE number = ?1
