-- Users whom an operator lets in no more, and those who may come in again.
CREATE TABLE user_bar (
    user_id bigint PRIMARY KEY,
    barred boolean NOT NULL,
    changed_at bigint NOT NULL
);
CREATE INDEX user_bar_by_change ON user_bar (changed_at);
