-- The job that a user wants to run first.
SELECT rank, job FROM ready WHERE queue = ?1 AND user = ?2 ORDER BY priority DESC, job LIMIT 1
