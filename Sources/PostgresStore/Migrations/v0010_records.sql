-- Records that jobs write: a step or an end of an attempt carries them, and they are applied in its transaction.

CREATE TABLE document (
    key text PRIMARY KEY,
    body text NOT NULL,
    stored_at bigint NOT NULL,
    kept_until bigint NOT NULL
);

CREATE INDEX document_kept_until ON document (kept_until);

-- Each noun has a function `record_NOUN(body, job, user, now)` that upserts by the noun's natural key. A record that is
-- written without a job has neither job nor user.
CREATE FUNCTION record_document(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO document AS d (key, body, stored_at, kept_until)
    VALUES (
        p_body ->> 'key', p_body ->> 'text', (p_body ->> 'stored_at')::bigint, (p_body ->> 'kept_until')::bigint)
    ON CONFLICT (key) DO UPDATE
    SET body = excluded.body, stored_at = excluded.stored_at, kept_until = excluded.kept_until
    WHERE d.stored_at <= excluded.stored_at
$$;

-- Applies the records of a batch after the statement that fenced its jobs. A job whose lease was lost brings nothing:
-- its row is neither at work under the epoch nor written by this very transaction.
--
-- The order of nouns and keys is the order of locks; records of one key are applied as they came.
CREATE FUNCTION apply_records(
    p_now bigint, p_ids uuid[], p_epochs bigint[], p_places bigint[], p_nouns text[], p_keys text[], p_bodies text[]
) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_record record;
BEGIN
    FOR v_record IN
        SELECT r.noun, r.body, j.id AS job, j.user_id
        FROM unnest(p_places, p_nouns, p_keys, p_bodies) WITH ORDINALITY AS r (place, noun, key, body, turn)
        CROSS JOIN LATERAL (SELECT * FROM job WHERE id = p_ids[r.place] OFFSET 0) AS j
        WHERE j.epoch = p_epochs[r.place]
            AND (
                j.status = 'processing'
                OR EXISTS (
                    SELECT FROM job AS own WHERE own.id = j.id AND own.xmin = pg_current_xact_id()::xid
                )
            )
        ORDER BY r.noun, r.key, r.turn
    LOOP
        EXECUTE format('SELECT %I($1, $2, $3, $4)', 'record_' || v_record.noun)
        USING v_record.body::jsonb, v_record.job, v_record.user_id, v_now;
    END LOOP;
END
$$;
