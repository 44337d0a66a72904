-- The slot whose turn it is.
SELECT rank, job, user FROM ready WHERE queue = ?1 ORDER BY rank, job LIMIT 1
