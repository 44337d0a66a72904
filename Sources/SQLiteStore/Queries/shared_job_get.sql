-- The unfinished leader of a key.
SELECT number, id, revision FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL
