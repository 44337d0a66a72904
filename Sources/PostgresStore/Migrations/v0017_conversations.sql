-- Questions and their answers, in the order in which they were answered. A conversation is the turns of one user under
-- one id.
CREATE TABLE conversation_turn (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The job that answered.
    job text NOT NULL UNIQUE,
    user_id bigint NOT NULL,
    conversation text NOT NULL,
    subject text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    -- JSON.
    citations text NOT NULL,
    asked_at bigint NOT NULL,
    answered_at bigint NOT NULL
);

CREATE INDEX conversation_turn_by_conversation ON conversation_turn (user_id, conversation, number);

CREATE FUNCTION record_conversation_turn(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO conversation_turn (job, user_id, conversation, subject, question, answer, citations, asked_at, answered_at)
    VALUES (
        p_body ->> 'job', (p_body ->> 'user')::bigint, p_body ->> 'conversation', p_body ->> 'subject',
        p_body ->> 'question', p_body ->> 'answer', p_body ->> 'citations', (p_body ->> 'asked_at')::bigint,
        (p_body ->> 'answered_at')::bigint)
    ON CONFLICT (job) DO NOTHING
$$;

-- What answers may rest on. A passage without an owner is for everybody.
CREATE TABLE passage (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    source text NOT NULL,
    part bigint NOT NULL,
    owner bigint,
    title text NOT NULL,
    url text,
    body text NOT NULL,
    -- The stems of its words, with spaces between them.
    terms text NOT NULL,
    written_at bigint NOT NULL,
    -- Stems are found as they are: they are folded already.
    index tsvector NOT NULL GENERATED ALWAYS AS (array_to_tsvector(array_remove(string_to_array(terms, ' '), ''))) STORED,
    UNIQUE (kind, source, part)
);

CREATE INDEX passage_by_terms ON passage USING gin (index);

-- Nobody takes over a passage of somebody else.
CREATE FUNCTION record_passage(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO passage AS p (kind, source, part, owner, title, url, body, terms, written_at)
    VALUES (
        p_body ->> 'kind', p_body ->> 'source', (p_body ->> 'part')::bigint, (p_body ->> 'owner')::bigint,
        p_body ->> 'title', p_body ->> 'url', p_body ->> 'text', p_body ->> 'terms',
        (p_body ->> 'written_at')::bigint)
    ON CONFLICT (kind, source, part) DO UPDATE
    SET title = excluded.title, url = excluded.url, body = excluded.body, terms = excluded.terms,
        written_at = excluded.written_at
    WHERE p.owner IS NOT DISTINCT FROM excluded.owner
$$;

-- Makes these the passages of a kind that are for everybody. Brokers that start together come one after the other.
CREATE FUNCTION replace_common_passages(p_kind text, p_bodies text[], p_now bigint) RETURNS void
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
END
$$;

ALTER TABLE conversation_turn ENABLE ROW LEVEL SECURITY;
ALTER TABLE passage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON conversation_turn USING (user_id = (SELECT current_user_id()));
CREATE POLICY own ON passage USING (owner IS NULL OR owner = (SELECT current_user_id()));

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_reader') THEN
        GRANT SELECT ON conversation_turn, passage TO dossier_reader;
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'dossier_reader was not granted: the service may not grant';
END
$$;
