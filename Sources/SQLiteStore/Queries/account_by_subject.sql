SELECT id, subject, created_at FROM account WHERE subject = ?1
