UPDATE kind_limit SET turns = turns + 1 WHERE kind = ?1 RETURNING turns
