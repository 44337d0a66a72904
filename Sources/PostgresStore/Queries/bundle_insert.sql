INSERT INTO bundle (hash, archive, created_at) VALUES ($1, $2, coalesce($3, store_now())) ON CONFLICT (hash) DO NOTHING
