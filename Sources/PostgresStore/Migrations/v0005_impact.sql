-- The impact of a story that a model judged, and the number of its articles then; NULL where a rule judges.

ALTER TABLE story ADD COLUMN rated_impact bigint CHECK (rated_impact BETWEEN 0 AND 3);
ALTER TABLE story ADD COLUMN rated_articles bigint CHECK (rated_articles > 0);

CREATE OR REPLACE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, coalesce(s.rated_impact, s.impact) AS impact, s.confidence,
    s.tickers::text AS tickers,
    (
        SELECT coalesce(
            json_agg(json_build_array(m.article, m.url, m.similarity, m.added_at) ORDER BY m.place), '[]')::text
        FROM story_member AS m
        WHERE m.story = s.number
    ) AS members,
    (
        SELECT coalesce(json_agg(l.key ORDER BY l.created_at, l.key COLLATE "C"), '[]')::text
        FROM story AS l
        WHERE l.merged_into = s.number
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into, s.rated_articles
FROM story AS s;
