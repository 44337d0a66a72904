-- What stories mean, as models wrote it from some version of their articles; `holdings` are tickers, separated by commas.
CREATE TABLE story_explanation (
    story text NOT NULL,
    holdings text NOT NULL,
    version text NOT NULL,
    body text NOT NULL,
    provenance text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (story, holdings, version)
);

CREATE INDEX story_explanation_age ON story_explanation (created_at);

CREATE FUNCTION record_story_explanation(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO story_explanation AS e (story, holdings, version, body, provenance, created_at)
    VALUES (
        p_body ->> 'story', p_body ->> 'holdings', p_body ->> 'version', p_body ->> 'body', p_body ->> 'provenance',
        (p_body ->> 'created_at')::bigint)
    ON CONFLICT (story, holdings, version) DO UPDATE
    SET body = excluded.body, provenance = excluded.provenance, created_at = excluded.created_at
    WHERE e.created_at <= excluded.created_at
$$;
