-- The next number above ?1.
SELECT coalesce(max(id), ?1) + 1 FROM account WHERE id > ?1
