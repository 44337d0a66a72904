UPDATE job SET blocked = 0, run_at = ?2, revision = revision + 1 WHERE number = ?1
