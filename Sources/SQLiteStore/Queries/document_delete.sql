DELETE FROM document
WHERE key IN (SELECT key FROM document WHERE kept_until < ? ORDER BY kept_until LIMIT ?)
