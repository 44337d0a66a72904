UPDATE kind_limit SET taken = taken + ?2 WHERE kind = ?1 AND fleet IS NOT NULL
