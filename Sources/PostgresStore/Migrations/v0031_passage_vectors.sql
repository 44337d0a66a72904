-- Vectors of passages, and passages of stories that go with their explanations.

-- The SHA-256 of title, line feed and text, in hexadecimal digits.
ALTER TABLE passage ADD COLUMN digest text;
UPDATE passage SET digest = encode(sha256(convert_to(title || E'\n' || body, 'UTF8')), 'hex');
ALTER TABLE passage ALTER COLUMN digest SET NOT NULL;

CREATE INDEX passage_by_digest ON passage (digest, owner);
-- What has no date does not grow old: it goes before the latest.
CREATE INDEX passage_by_owner ON passage (owner, (written_at = 0), written_at, number);
CREATE INDEX passage_of_story_by_age ON passage (written_at) WHERE kind = 'story';

-- What models made of the texts of passages; it belongs to the text. `components` is as in `article_vector`. It tells
-- nothing of whose texts they are, so nobody but the service reads it.
CREATE TABLE passage_vector (
    digest text NOT NULL,
    model text NOT NULL,
    components text NOT NULL,
    PRIMARY KEY (digest, model)
);

-- Nobody takes over a passage of somebody else, and what was written earlier replaces nothing.
CREATE OR REPLACE FUNCTION record_passage(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO passage AS p (kind, source, part, owner, title, url, body, terms, written_at, digest)
    VALUES (
        p_body ->> 'kind', p_body ->> 'source', (p_body ->> 'part')::bigint, (p_body ->> 'owner')::bigint,
        p_body ->> 'title', p_body ->> 'url', p_body ->> 'text', p_body ->> 'terms',
        (p_body ->> 'written_at')::bigint,
        encode(sha256(convert_to((p_body ->> 'title') || E'\n' || (p_body ->> 'text'), 'UTF8')), 'hex'))
    ON CONFLICT (kind, source, part) DO UPDATE
    SET title = excluded.title, url = excluded.url, body = excluded.body, terms = excluded.terms,
        written_at = excluded.written_at, digest = excluded.digest
    WHERE p.owner IS NOT DISTINCT FROM excluded.owner AND p.written_at <= excluded.written_at
$$;

CREATE FUNCTION record_passage_vector(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO passage_vector (digest, model, components)
    SELECT p_body ->> 'digest', p_body ->> 'model', p_body ->> 'components'
    WHERE EXISTS (SELECT FROM passage WHERE digest = p_body ->> 'digest')
    ON CONFLICT DO NOTHING
$$;

-- Forgets vectors of texts that no passage has any longer. One that is being written is left to the next time.
CREATE FUNCTION forget_passage_vectors() RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM passage_vector
    WHERE ctid = ANY (ARRAY(
        SELECT v.ctid
        FROM passage_vector AS v
        WHERE NOT EXISTS (SELECT FROM passage AS p WHERE p.digest = v.digest)
        FOR UPDATE SKIP LOCKED
    ))
$$;

-- Makes these the passages of a kind that are for everybody. Brokers that start together come one after the other.
CREATE OR REPLACE FUNCTION replace_common_passages(p_kind text, p_bodies text[], p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('passages of kind ' || p_kind, 0));
    DELETE FROM passage AS p
    WHERE p.kind = p_kind AND p.owner IS NULL
        AND NOT EXISTS (
            SELECT FROM unnest(p_bodies) AS b (body)
            WHERE b.body::jsonb ->> 'source' = p.source AND (b.body::jsonb ->> 'part')::bigint = p.part
        );
    PERFORM record_passage(b.body::jsonb, NULL, NULL, p_now) FROM unnest(p_bodies) AS b (body);
    PERFORM forget_passage_vectors();
END
$$;

-- Deletes explanations from before a moment, at most so many, and the passages of stories from before it.
CREATE FUNCTION delete_explanations(p_before bigint, p_limit bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    v_deleted bigint;
BEGIN
    DELETE FROM story_explanation
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM story_explanation WHERE created_at < p_before ORDER BY created_at LIMIT p_limit
        FOR UPDATE SKIP LOCKED
    ));
    GET DIAGNOSTICS v_deleted = ROW_COUNT;
    DELETE FROM passage
    WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM passage WHERE kind = 'story' AND written_at < p_before FOR UPDATE SKIP LOCKED
    ));
    IF FOUND THEN
        PERFORM forget_passage_vectors();
    END IF;
    RETURN v_deleted;
END
$$;
