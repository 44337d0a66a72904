SELECT id FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL
