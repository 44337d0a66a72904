INSERT INTO document AS d (key, body, stored_at, kept_until)
VALUES (?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, stored_at = excluded.stored_at, kept_until = excluded.kept_until
WHERE d.stored_at <= excluded.stored_at
