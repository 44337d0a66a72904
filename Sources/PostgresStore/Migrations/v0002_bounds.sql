-- What users may take, and what one user's work shows to others.

-- A reading of an article that a user asked for is shown to that user alone, by the canonical address of the article.
-- The signal is a JSON object.
DROP TABLE article_signal;

CREATE TABLE article_signal (
    user_id bigint NOT NULL,
    url text COLLATE "C" NOT NULL CHECK (octet_length(url) <= 2048),
    signal text NOT NULL,
    made_at bigint NOT NULL,
    PRIMARY KEY (user_id, url)
);

CREATE INDEX article_signal_by_age ON article_signal (made_at);

-- Work for all users that a user's reading set off: the day since 1970 in UTC, and a digest of the work's key.
CREATE TABLE shared_work_use (
    day bigint NOT NULL,
    user_id bigint NOT NULL,
    work text COLLATE "C" NOT NULL,
    PRIMARY KEY (day, user_id, work)
);
