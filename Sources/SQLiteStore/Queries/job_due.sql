UPDATE job SET run_at = NULL, revision = revision + 1 WHERE number = ?1
