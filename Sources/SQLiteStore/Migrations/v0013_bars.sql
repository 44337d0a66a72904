-- Users whom an operator lets in no more, and those who may come in again.
CREATE TABLE user_bar (
    user INTEGER PRIMARY KEY,
    barred INTEGER NOT NULL CHECK (barred IN (0, 1)),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_bar_by_change ON user_bar (changed_at);
