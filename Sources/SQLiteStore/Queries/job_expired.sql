SELECT number FROM job WHERE deadline <= ?1 AND completed_at IS NULL ORDER BY deadline LIMIT ?2
