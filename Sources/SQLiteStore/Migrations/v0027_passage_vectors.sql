-- The SHA-256 of title, line feed and text, in hexadecimal digits. Passages from before have none until they are written
-- again, and are found by words alone.
ALTER TABLE passage ADD COLUMN digest TEXT;

CREATE INDEX passage_by_digest ON passage (digest, owner);
-- What has no date does not grow old: it goes before the latest.
CREATE INDEX passage_by_owner ON passage (owner, (written_at = 0), written_at);
CREATE INDEX passage_of_story_by_age ON passage (written_at) WHERE kind = 'story';

-- What models made of the texts of passages; it belongs to the text. `components` is as in `article_vector`.
CREATE TABLE passage_vector (
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    components TEXT NOT NULL,
    PRIMARY KEY (digest, model)
) STRICT;
