-- Those that are written again are kept until then.
DELETE FROM passage
WHERE kind = ?1 AND owner IS NULL AND source || '/' || part NOT IN (SELECT value FROM json_each(?2))
