-- The impact of a story that a model judged, and the number of its articles then; NULL where a rule judges.

ALTER TABLE story ADD COLUMN rated_impact INTEGER CHECK (rated_impact BETWEEN 0 AND 3);
ALTER TABLE story ADD COLUMN rated_articles INTEGER CHECK (rated_articles > 0);

DROP VIEW story_record;

CREATE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, coalesce(s.rated_impact, s.impact) AS impact, s.confidence, s.tickers,
    (
        SELECT json_group_array(json_array(m.article, m.url, m.similarity, m.added_at))
        FROM (SELECT * FROM story_member WHERE story = s.number ORDER BY place) AS m
    ) AS members,
    (
        SELECT json_group_array(l.key)
        FROM (SELECT key FROM story WHERE merged_into = s.number ORDER BY created_at, key) AS l
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into, s.rated_articles
FROM story AS s;
