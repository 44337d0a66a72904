DELETE FROM schedule WHERE run_at = ?1 AND job = ?2
