-- Says what has become of commits: to those who listen by the payload, to those who poll by the counts.
SELECT
    pg_notify('dossier', $1::text),
    CASE WHEN $1 LIKE '%ready%' THEN nextval('news_ready') END,
    CASE WHEN $1 LIKE '%visible%' THEN nextval('news_visible') END
