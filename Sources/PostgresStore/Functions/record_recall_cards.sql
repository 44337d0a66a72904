-- Adds a card of revision 0 where there is room, or changes it over the revision before its own.
CREATE OR REPLACE FUNCTION store_recall_card(p_body jsonb, p_has_room boolean) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    v_revision bigint := (p_body ->> 'revision')::bigint;
BEGIN
    UPDATE recall_card
    SET concept = p_body ->> 'concept', source = p_body ->> 'source', content = p_body ->> 'content',
        schedule = p_body ->> 'schedule', due_at = (p_body ->> 'due_at')::bigint, revision = v_revision,
        created_at = (p_body ->> 'created_at')::bigint
    WHERE user_id = (p_body ->> 'user')::bigint AND id = p_body ->> 'id' AND revision = v_revision - 1;
    IF FOUND OR v_revision <> 0 OR NOT p_has_room THEN
        RETURN FOUND;
    END IF;
    INSERT INTO recall_card (user_id, id, concept, source, content, schedule, due_at, revision, created_at)
    VALUES (
        (p_body ->> 'user')::bigint, p_body ->> 'id', p_body ->> 'concept', p_body ->> 'source',
        p_body ->> 'content', p_body ->> 'schedule', (p_body ->> 'due_at')::bigint, v_revision,
        (p_body ->> 'created_at')::bigint)
    ON CONFLICT (user_id, id) DO NOTHING;
    RETURN FOUND;
END
$$;

-- Stores several cards up to a limit for each user, and returns the ids of those that were stored.
--
-- Additions of one user happen one after the other, since the count must not change in between.
CREATE OR REPLACE FUNCTION store_recall_cards(p_bodies text, p_limit bigint) RETURNS SETOF text
LANGUAGE plpgsql
AS $$
DECLARE
    v_card record;
    v_user bigint;
    v_room bigint;
BEGIN
    FOR v_card IN
        SELECT value AS body, (value ->> 'user')::bigint AS user_id, value ->> 'id' AS id
        FROM jsonb_array_elements(p_bodies::jsonb)
        ORDER BY 2, value ->> 'id' COLLATE "C"
    LOOP
        IF v_user IS DISTINCT FROM v_card.user_id THEN
            v_user := v_card.user_id;
            PERFORM pg_advisory_xact_lock(hashtextextended('recall cards', v_user));
            v_room := p_limit - (SELECT count(*) FROM recall_card WHERE user_id = v_user);
        END IF;
        IF store_recall_card(v_card.body, v_room > 0) THEN
            IF (v_card.body ->> 'revision')::bigint = 0 THEN
                v_room := v_room - 1;
            END IF;
            RETURN NEXT v_card.id;
        END IF;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION record_recall_card(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    SELECT count(*) FROM store_recall_cards(jsonb_build_array(p_body)::text, 10000)
$$;
