DELETE FROM passage WHERE kind = 'story' AND written_at < ?1
