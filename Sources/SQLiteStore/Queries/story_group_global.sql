SELECT g.id
FROM story AS s
JOIN story_group AS g ON g.story = s.number
WHERE s.key = ?1 AND g.ticker = ''
