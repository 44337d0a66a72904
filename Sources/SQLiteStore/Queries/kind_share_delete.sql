DELETE FROM kind_share WHERE kind = ?1 AND user = ?2
