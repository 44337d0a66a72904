-- Stories of days, the groups in which they are shown, and their explanations.

-- name: story_list
SELECT * FROM story_record WHERE day = $1 AND merged_into IS NULL ORDER BY created_at, key COLLATE "C"

-- name: story_group_list
-- The best groups are chosen first, so that members are read only for those.
WITH best AS MATERIALIZED (
    SELECT g.id, g.ticker, g.story, wanted.place AS ticker_place, row_number() OVER (
        PARTITION BY g.ticker
        ORDER BY coalesce(s.rated_impact, s.impact) DESC, s.updated_at DESC, g.id DESC
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

-- name: story_group_get
SELECT
    g.id, g.ticker,
    (
        -- The group of the ticker is preferred to the common one.
        SELECT o.id FROM story_group AS o
        WHERE o.story = r.merged_into AND o.is_shown AND o.ticker IN (g.ticker, '')
        ORDER BY o.ticker = '' LIMIT 1
    ),
    r.*
FROM story_group AS g
JOIN story_record AS r ON r.number = g.story
WHERE g.id = $1

-- name: story_group_global
SELECT g.id
FROM story AS s
JOIN story_group AS g ON g.story = s.number
WHERE s.key = $1::text AND g.ticker = ''

-- name: explanation_get
-- For each key the explanation of its version, else the latest.
SELECT e.story, e.version, e.holdings, e.body, e.provenance, e.created_at
FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (story, holdings, version)
CROSS JOIN LATERAL (
    SELECT *
    FROM story_explanation AS s
    WHERE s.story = asked.story AND s.holdings = asked.holdings
    ORDER BY s.version = asked.version DESC, s.created_at DESC, s.version COLLATE "C"
    LIMIT 1
) AS e

-- name: explanation_delete
SELECT delete_explanations($1::bigint, $2::bigint)
