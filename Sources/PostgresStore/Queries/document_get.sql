SELECT key, body, stored_at, kept_until FROM document WHERE key = ANY ($1::text[])
