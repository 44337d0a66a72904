SELECT id, subject, created_at FROM account WHERE id = ?1
