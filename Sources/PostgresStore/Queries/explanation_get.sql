-- Of each version that was asked for, else the latest.
SELECT e.story, e.version, e.holdings, e.body, e.provenance, e.created_at
FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (story, holdings, version)
CROSS JOIN LATERAL (
    SELECT *
    FROM story_explanation AS s
    WHERE s.story = asked.story AND s.holdings = asked.holdings
    ORDER BY s.version = asked.version DESC, s.created_at DESC, s.version COLLATE "C"
    LIMIT 1
) AS e
