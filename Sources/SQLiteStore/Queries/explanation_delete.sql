DELETE FROM story_explanation
WHERE (story, holdings, version) IN (
    SELECT story, holdings, version FROM story_explanation WHERE created_at < ?1 ORDER BY created_at LIMIT ?2
)
