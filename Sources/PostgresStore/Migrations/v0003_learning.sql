-- Recall cards: what users test their memory with.

-- `content` and `schedule` are JSON objects. A card is changed only over the revision before its new one.
CREATE TABLE recall_card (
    user_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    concept text NOT NULL,
    source text COLLATE "C" NOT NULL,
    content text NOT NULL,
    schedule text NOT NULL,
    due_at bigint NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX recall_card_due ON recall_card (user_id, due_at, id);
CREATE INDEX recall_card_by_age ON recall_card (user_id, created_at);

ALTER TABLE recall_card ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON recall_card USING (user_id = (SELECT current_user_id()));

DO $$
BEGIN
    GRANT SELECT ON recall_card TO dossier_reader;
EXCEPTION
    WHEN undefined_object OR insufficient_privilege THEN NULL;
END
$$;
