SELECT * FROM story_record WHERE day = $1 AND merged_into IS NULL ORDER BY created_at, key COLLATE "C"
