-- What all processes add to the time since the machine's start, to tell a moment. See `ClockAnchor`.
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    boot TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    set_at INTEGER NOT NULL
) STRICT;
