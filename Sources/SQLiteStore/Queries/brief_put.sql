INSERT INTO brief (user, items, generated_at) VALUES (?1, ?2, ?3)
ON CONFLICT (user) DO UPDATE SET items = excluded.items, generated_at = excluded.generated_at
WHERE excluded.generated_at >= brief.generated_at
