INSERT INTO current_bundle (one, hash, adopted_at)
VALUES (1, ?1, ?2)
ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, adopted_at = excluded.adopted_at
