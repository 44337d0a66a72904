INSERT INTO clock (one, boot, "offset", set_at) VALUES (1, ?1, ?2, ?3)
ON CONFLICT (one) DO UPDATE SET boot = excluded.boot, "offset" = excluded."offset", set_at = excluded.set_at
