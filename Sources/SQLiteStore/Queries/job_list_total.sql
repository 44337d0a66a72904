SELECT count(*)
FROM job
WHERE user = ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR kind = ?3)
