INSERT INTO article_signal (url, signal, made_at) VALUES (?1, ?2, ?3)
ON CONFLICT (url) DO UPDATE SET signal = excluded.signal, made_at = excluded.made_at
WHERE excluded.made_at >= article_signal.made_at
