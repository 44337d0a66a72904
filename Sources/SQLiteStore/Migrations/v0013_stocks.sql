-- What users watch.
CREATE TABLE watchlist (
    user INTEGER NOT NULL,
    ticker TEXT NOT NULL,
    name TEXT,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user, ticker)
) STRICT, WITHOUT ROWID;

-- What each broker has counted of users' requests in a minute.
CREATE TABLE rate_count (
    minute INTEGER NOT NULL,
    user INTEGER NOT NULL,
    bucket TEXT NOT NULL,
    broker TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (minute, user, bucket, broker)
) STRICT, WITHOUT ROWID;

-- What was spent since a moment is asked for at every reading of metrics.
CREATE INDEX model_call_created ON model_call (created_at);
