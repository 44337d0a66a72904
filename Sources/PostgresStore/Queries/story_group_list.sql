-- Members are read of those only that are shown.
WITH best AS MATERIALIZED (
    SELECT g.id, g.ticker, g.story, wanted.place AS ticker_place, row_number() OVER (
        PARTITION BY g.ticker ORDER BY s.impact DESC, s.updated_at DESC, g.id DESC
    ) AS place
    FROM unnest($2::text[]) WITH ORDINALITY AS wanted (ticker, place)
    JOIN story_group AS g ON g.ticker = wanted.ticker AND g.day = $1 AND g.is_shown
    JOIN story AS s ON s.number = g.story
)
SELECT b.id, b.ticker, NULL::bigint, r.*
FROM best AS b
JOIN story_record AS r ON r.number = b.story
WHERE b.place <= $3
ORDER BY b.ticker_place, b.place
