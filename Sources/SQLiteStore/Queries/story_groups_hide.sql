UPDATE story_group SET is_shown = 0
WHERE story = ?1 OR story IN (SELECT number FROM story WHERE merged_into = ?1)
