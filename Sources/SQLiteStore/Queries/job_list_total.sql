SELECT count(*)
FROM job AS j
LEFT JOIN job AS l ON l.number = j.following
WHERE j.user = ?1 AND (?2 IS NULL OR coalesce(l.status, j.status) = ?2) AND (?3 IS NULL OR j.kind = ?3)
