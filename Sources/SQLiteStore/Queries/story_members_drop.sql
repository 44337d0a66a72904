DELETE FROM story_member
WHERE story = ?1 OR story IN (SELECT number FROM story WHERE merged_into = ?1)
