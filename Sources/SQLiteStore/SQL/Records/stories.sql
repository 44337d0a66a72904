-- Stories of days, the groups in which they are shown, and their explanations.

-- name: story_list
SELECT * FROM story_record WHERE day = ?1 AND merged_into IS NULL ORDER BY created_at, key

-- name: story_group_list
-- The best groups are chosen first, so that members are read only for those.
WITH best AS (
    SELECT g.id, row_number() OVER (
        PARTITION BY g.ticker
        ORDER BY coalesce(s.rated_impact, s.impact) DESC, s.updated_at DESC, g.id DESC
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

-- name: story_group_get
SELECT
    g.id, g.ticker,
    (
        -- The group of the ticker is preferred to the common one.
        SELECT o.id FROM story_group AS o
        WHERE o.story = r.merged_into AND o.is_shown = 1 AND o.ticker IN (g.ticker, '')
        ORDER BY o.ticker DESC
        LIMIT 1
    ),
    r.*
FROM story_group AS g
JOIN story_record AS r ON r.number = g.story
WHERE g.id = ?1

-- name: story_group_global
SELECT g.id
FROM story AS s
JOIN story_group AS g ON g.story = s.number
WHERE s.key = ?1 AND g.ticker = ''

-- name: explanation_get
-- For each key the explanation of its version, else the latest.
SELECT e.story, e.version, e.holdings, e.body, e.provenance, e.created_at
FROM json_each(?1) AS asked
CROSS JOIN story_explanation AS e
WHERE e.story = asked.value AND e.holdings = ?2 ->> asked.key AND e.version = coalesce(
    (
        SELECT version
        FROM story_explanation
        WHERE story = asked.value AND holdings = ?2 ->> asked.key AND version = ?3 ->> asked.key
    ),
    (
        SELECT version
        FROM story_explanation
        WHERE story = asked.value AND holdings = ?2 ->> asked.key
        ORDER BY created_at DESC, version
        LIMIT 1
    )
)

-- name: explanation_delete
-- Deletes at most ?2 explanations from before ?1 and the passages of stories from before it.
DELETE FROM story_explanation
WHERE (story, holdings, version) IN (
    SELECT story, holdings, version FROM story_explanation WHERE created_at < ?1 ORDER BY created_at LIMIT ?2
);
SELECT changes();
DELETE FROM passage WHERE kind = 'story' AND written_at < ?1;
DELETE FROM passage_vector
WHERE changes() > 0 AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.digest = passage_vector.digest)

-- name: record_story_explanation
INSERT INTO story_explanation AS e (story, holdings, version, body, provenance, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (story, holdings, version) DO UPDATE
SET body = excluded.body, provenance = excluded.provenance, created_at = excluded.created_at
WHERE e.created_at <= excluded.created_at

-- name: record_story_impact
UPDATE story SET rated_impact = ?2, rated_articles = ?3 WHERE key = ?1

-- name: record_story
-- Stores a story as it now is. It takes the articles and the groups of the stories ?9 that it absorbed; ?10 are its
-- members, ?11 the tickers of the groups that show it.
INSERT INTO story (key, day, title, impact, confidence, tickers, created_at, updated_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (key) DO UPDATE SET
    title = excluded.title, impact = excluded.impact, confidence = excluded.confidence, tickers = excluded.tickers,
    updated_at = excluded.updated_at, merged_into = NULL;
UPDATE story SET merged_into = (SELECT number FROM story WHERE key = ?1)
WHERE key IN (SELECT value FROM json_each(?9)) AND key <> ?1;
DELETE FROM story_member
WHERE story IN (
    SELECT s.number FROM story AS s WHERE s.key = ?1
    UNION ALL
    SELECT m.number FROM story AS s JOIN story AS m ON m.merged_into = s.number WHERE s.key = ?1
);
INSERT INTO story_member (article, story, url, similarity, added_at, place)
SELECT m.value ->> 0, s.number, m.value ->> 1, m.value ->> 2, m.value ->> 3, m.key
FROM story AS s CROSS JOIN json_each(?10) AS m
WHERE s.key = ?1
ON CONFLICT (article) DO UPDATE SET
    story = excluded.story, url = excluded.url, similarity = excluded.similarity, added_at = excluded.added_at,
    place = excluded.place;
UPDATE story_group SET is_shown = 0
WHERE story IN (
    SELECT s.number FROM story AS s WHERE s.key = ?1
    UNION ALL
    SELECT m.number FROM story AS s JOIN story AS m ON m.merged_into = s.number WHERE s.key = ?1
);
INSERT INTO story_group (story, ticker, day)
SELECT s.number, t.value, ?2 FROM story AS s CROSS JOIN json_each(?11) AS t WHERE s.key = ?1
ON CONFLICT (story, ticker) DO UPDATE SET is_shown = 1
