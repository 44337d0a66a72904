-- Archives of the data of users. A job stores the parts of its archive under its lease, and the archive with its result.
CREATE TABLE user_export (
    job BLOB PRIMARY KEY CHECK (length(job) = 16),
    user INTEGER NOT NULL,
    -- The epoch of the run that made it: the parts of that epoch are its own.
    epoch INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    parts INTEGER NOT NULL
) STRICT;

CREATE INDEX user_export_of_user ON user_export (user, made_at);
CREATE INDEX user_export_by_age ON user_export (made_at);

CREATE TABLE user_export_part (
    number INTEGER PRIMARY KEY,
    job BLOB NOT NULL CHECK (length(job) = 16),
    epoch INTEGER NOT NULL,
    part INTEGER NOT NULL,
    user INTEGER NOT NULL,
    written_at INTEGER NOT NULL,
    -- The bytes of the text.
    length INTEGER NOT NULL,
    -- The text as a stream in the "deflate" form.
    body BLOB NOT NULL,
    UNIQUE (job, epoch, part)
) STRICT;

CREATE INDEX user_export_part_of_user ON user_export_part (user);
CREATE INDEX user_export_part_by_age ON user_export_part (written_at);
