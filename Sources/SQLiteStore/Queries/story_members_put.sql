INSERT INTO story_member (article, story, url, similarity, added_at, place)
SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3, key FROM json_each(?2) WHERE true
ON CONFLICT (article) DO UPDATE SET
    story = excluded.story, url = excluded.url, similarity = excluded.similarity, added_at = excluded.added_at,
    place = excluded.place
