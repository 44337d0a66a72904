-- Of the version, else the latest.
SELECT story, version, holdings, body, provenance, created_at
FROM story_explanation
WHERE story = ?1 AND holdings = ?2
ORDER BY version = ?3 DESC, created_at DESC, version
LIMIT 1
