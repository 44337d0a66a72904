SELECT
    g.id, g.ticker,
    (
        -- The ticker's group goes before everybody's.
        SELECT o.id FROM story_group AS o
        WHERE o.story = r.merged_into AND o.is_shown = 1 AND o.ticker IN (g.ticker, '')
        ORDER BY o.ticker DESC
        LIMIT 1
    ),
    r.*
FROM story_group AS g
JOIN story_record AS r ON r.number = g.story
WHERE g.id = ?1
