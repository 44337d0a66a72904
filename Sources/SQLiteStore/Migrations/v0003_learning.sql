-- Recall cards: what users test their memory with.

-- `content` and `schedule` are JSON objects. A card is changed only over the revision before its new one.
CREATE TABLE recall_card (
    user INTEGER NOT NULL,
    id TEXT NOT NULL,
    concept TEXT NOT NULL,
    source TEXT NOT NULL,
    content TEXT NOT NULL,
    schedule TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX recall_card_due ON recall_card (user, due_at, id);
CREATE INDEX recall_card_by_age ON recall_card (user, created_at);
