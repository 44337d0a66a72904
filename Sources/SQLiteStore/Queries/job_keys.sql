SELECT unique_key FROM job WHERE number = ?1
