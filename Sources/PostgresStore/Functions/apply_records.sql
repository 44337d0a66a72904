-- Applies the records of a batch, after the statement that checked the leases of its jobs.
--
-- A record counts when its job is processing at the given epoch, or was written by this very transaction. Records are
-- applied in the order of nouns and keys, which is the order of locks; records of one key in the order of submission.
--
-- Each noun has a function `record_NOUN(body, job, user, now)`, which upserts by the noun's natural key. Job and user
-- are NULL for a record that is written without a job.
CREATE OR REPLACE FUNCTION apply_records(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_places bigint[], p_nouns text[], p_keys text[], p_bodies text[]
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_record record;
BEGIN
    FOR v_record IN
        SELECT r.noun, r.body, j.id AS job, j.user_id
        FROM unnest(p_places, p_nouns, p_keys, p_bodies) WITH ORDINALITY AS r (place, noun, key, body, ordinal)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE id = p_ids[r.place] OFFSET 0) AS j
        WHERE j.epoch = p_epochs[r.place]
            AND (
                j.status = 'processing'
                OR EXISTS (
                    SELECT FROM job AS own WHERE own.id = j.id AND own.xmin = pg_current_xact_id()::xid
                )
            )
        ORDER BY r.noun, r.key, r.ordinal
    LOOP
        EXECUTE format('SELECT %I($1, $2, $3, $4)', 'record_' || v_record.noun)
        USING v_record.body::jsonb, v_record.job, v_record.user_id, v_now;
    END LOOP;
END
$$;

-- Stores a document unless a newer one is stored.
CREATE OR REPLACE FUNCTION record_document(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO document AS d (key, body, stored_at, kept_until)
    VALUES (
        p_body ->> 'key', p_body ->> 'text', (p_body ->> 'stored_at')::bigint, (p_body ->> 'kept_until')::bigint)
    ON CONFLICT (key) DO UPDATE
    SET body = excluded.body, stored_at = excluded.stored_at, kept_until = excluded.kept_until
    WHERE d.stored_at <= excluded.stored_at
$$;

-- Stores an explanation unless a newer one is stored.
CREATE OR REPLACE FUNCTION record_story_explanation(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
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

-- Deletes explanations older than a time, up to a limit, and the passages of stories that are older.
CREATE OR REPLACE FUNCTION delete_explanations(p_before bigint, p_limit bigint) RETURNS bigint
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

-- Stores a signal unless a newer one is stored, and deletes signals that are a month older.
CREATE OR REPLACE FUNCTION record_article_signal(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO article_signal AS s (user_id, url, signal, made_at)
    VALUES (
        (p_body ->> 'user')::bigint, p_body ->> 'url', p_body ->> 'signal', (p_body ->> 'made_at')::bigint)
    ON CONFLICT (user_id, url) DO UPDATE SET signal = excluded.signal, made_at = excluded.made_at
    WHERE s.made_at <= excluded.made_at;
    DELETE FROM article_signal WHERE made_at < (p_body ->> 'made_at')::bigint - 2592000000
$$;

-- Stores a user's brief unless a newer one is stored.
CREATE OR REPLACE FUNCTION record_brief(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO brief AS b (user_id, items, generated_at)
    VALUES ((p_body ->> 'user')::bigint, p_body ->> 'items', (p_body ->> 'generated_at')::bigint)
    ON CONFLICT (user_id) DO UPDATE SET items = excluded.items, generated_at = excluded.generated_at
    WHERE b.generated_at <= excluded.generated_at
$$;

-- Stores a turn of a conversation, once for each job.
CREATE OR REPLACE FUNCTION record_conversation_turn(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO conversation_turn (job, user_id, conversation, subject, question, answer, citations, asked_at,
        answered_at)
    VALUES (
        p_body ->> 'job', (p_body ->> 'user')::bigint, p_body ->> 'conversation', p_body ->> 'subject',
        p_body ->> 'question', p_body ->> 'answer', p_body ->> 'citations', (p_body ->> 'asked_at')::bigint,
        (p_body ->> 'answered_at')::bigint)
    ON CONFLICT (job) DO NOTHING
$$;

-- Stores the archive that a job has made, and deletes the parts of its earlier runs.
CREATE OR REPLACE FUNCTION record_user_export(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO user_export AS e (job, user_id, epoch, made_at, lines, bytes, parts)
    VALUES (
        p_job, p_user, (p_body ->> 'epoch')::bigint, (p_body ->> 'made_at')::bigint, (p_body ->> 'lines')::bigint,
        (p_body ->> 'bytes')::bigint, (p_body ->> 'parts')::bigint)
    ON CONFLICT (job) DO UPDATE
    SET epoch = excluded.epoch, made_at = excluded.made_at, lines = excluded.lines, bytes = excluded.bytes,
        parts = excluded.parts;
    DELETE FROM user_export_part AS e WHERE e.job = p_job AND e.epoch <> (p_body ->> 'epoch')::bigint
$$;
