-- Pauses of kinds and lanes.

-- name: pause_list
SELECT id, kind, lane, note, by_name, since, until
FROM pause
WHERE is_ending = 0 AND (until IS NULL OR until > ?1)
ORDER BY since, id

-- name: pause_begin
-- Stores the pause ?2 with the audit ?8, unless there are ?9 or its end has passed.
INSERT INTO pause (id, kind, lane, note, by_name, since, until)
SELECT ?2, ?3, ?4, ?5, ?6, ?1, ?7 WHERE (SELECT count(*) FROM pause WHERE is_over = 0) < ?9 AND (?7 IS NULL OR ?7 > ?1)
ON CONFLICT DO NOTHING;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?8 WHERE ?8 IS NOT NULL AND changes() = 1;
SELECT id, kind, lane, note, by_name, since, until, since = ?1 FROM pause WHERE id = ?2

-- name: pause_end
-- Ends the pause ?2 with the audit ?3.
SELECT id, kind, lane, note, by_name, since, until FROM pause WHERE id = ?2 AND is_ending = 0;
UPDATE pause SET is_ending = 1 WHERE id = ?2 AND is_ending = 0;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?3 WHERE ?3 IS NOT NULL AND changes() = 1

-- name: pauses_unsettled
SELECT 1 FROM pause WHERE is_over = 0 AND (is_ending = 1 OR seen IS NOT NULL OR until <= ?1) LIMIT 1
