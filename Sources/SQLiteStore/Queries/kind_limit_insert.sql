INSERT INTO kind_limit (kind, fleet, per_user) VALUES (?1, ?2, ?3) ON CONFLICT (kind) DO NOTHING
