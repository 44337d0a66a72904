-- What users may take, and what one user's work shows to others.

-- A reading of an article that a user asked for is shown to that user alone, by the canonical address of the article.
-- The signal is a JSON object.
DROP TABLE article_signal;

CREATE TABLE article_signal (
    user INTEGER NOT NULL,
    url TEXT NOT NULL,
    signal TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    PRIMARY KEY (user, url)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- Work for all users that a user's reading set off: the day since 1970 in UTC, and a digest of the work's key.
CREATE TABLE shared_work_use (
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    work TEXT NOT NULL,
    PRIMARY KEY (day, user, work)
) STRICT, WITHOUT ROWID;
