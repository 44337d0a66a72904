-- Members are read of those only that are shown.
WITH best AS (
    SELECT g.id, row_number() OVER (
        PARTITION BY g.ticker ORDER BY s.impact DESC, s.updated_at DESC, g.id DESC
    ) AS place, wanted.key AS ticker_place
    FROM json_each(?2) AS wanted
    JOIN story_group AS g ON g.ticker = wanted.value AND g.day = ?1 AND g.is_shown = 1
    JOIN story AS s ON s.number = g.story
)
SELECT g.id, g.ticker, NULL, r.*
FROM best AS b
JOIN story_group AS g ON g.id = b.id
JOIN story_record AS r ON r.number = g.story
WHERE b.place <= ?3
ORDER BY b.ticker_place, b.place
