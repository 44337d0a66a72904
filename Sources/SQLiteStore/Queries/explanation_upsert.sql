INSERT INTO story_explanation AS e (story, holdings, version, body, provenance, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (story, holdings, version) DO UPDATE
SET body = excluded.body, provenance = excluded.provenance, created_at = excluded.created_at
WHERE e.created_at <= excluded.created_at
