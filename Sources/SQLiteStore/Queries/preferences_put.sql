INSERT INTO preferences (user, focus_profile, updated_at) VALUES (?1, coalesce(?2, 'balanced'), ?3)
ON CONFLICT (user) DO UPDATE SET focus_profile = coalesce(?2, focus_profile), updated_at = ?3
