INSERT INTO story (key, day, title, impact, confidence, tickers, created_at, updated_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (key) DO UPDATE SET
    title = excluded.title, impact = excluded.impact, confidence = excluded.confidence, tickers = excluded.tickers,
    updated_at = excluded.updated_at, merged_into = NULL
RETURNING number
