-- Stores a passage unless another user owns it or a newer one is stored.
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

-- Stores the vector of a text that some passage has.
CREATE OR REPLACE FUNCTION record_passage_vector(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO passage_vector (digest, model, components)
    SELECT p_body ->> 'digest', p_body ->> 'model', p_body ->> 'components'
    WHERE EXISTS (SELECT FROM passage WHERE digest = p_body ->> 'digest')
    ON CONFLICT DO NOTHING
$$;

-- Replaces the passages of a kind that all users share. Brokers that start together do this one after the other.
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

-- Deletes vectors of texts that no passage has any more. A vector that is being written is left to the next call.
CREATE OR REPLACE FUNCTION forget_passage_vectors() RETURNS void
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
