-- What stories mean, as models wrote it from some version of their articles; `holdings` are tickers, separated by commas.
CREATE TABLE story_explanation (
    story TEXT NOT NULL,
    holdings TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    provenance TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (story, holdings, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX story_explanation_age ON story_explanation (created_at);
