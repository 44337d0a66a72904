-- Pauses of kinds and lanes.

-- name: pause_list
SELECT id, kind, lane::text, note, by_name, since, until
FROM pause
WHERE NOT is_ending AND (until IS NULL OR until > coalesce($1::bigint, store_now()))
ORDER BY since, id

-- name: pause_begin
-- Stores the pause $2 with the audit $8, unless there are $9 or its end has passed.
WITH made AS (
    INSERT INTO pause (id, kind, lane, note, by_name, since, until)
    SELECT $2, $3, $4::text::queue, $5, $6, coalesce($1::bigint, store_now()), $7::bigint
    WHERE (SELECT count(*) FROM pause WHERE NOT is_over) < $9::bigint
        AND ($7::bigint IS NULL OR $7::bigint > coalesce($1::bigint, store_now()))
    ON CONFLICT DO NOTHING
    RETURNING id, kind, lane, note, by_name, since, until
), audited AS (
    SELECT write_audit($1, $8) FROM made WHERE $8::text IS NOT NULL
)
SELECT m.id, m.kind, m.lane::text, m.note, m.by_name, m.since, m.until, 1 + (SELECT count(*) FROM audited) FROM made AS m
UNION ALL
SELECT p.id, p.kind, p.lane::text, p.note, p.by_name, p.since, p.until, 0 FROM pause AS p WHERE p.id = $2

-- name: pause_end
-- Ends the pause $2 with the audit $3.
WITH ended AS (
    UPDATE pause AS p SET is_ending = true WHERE p.id = $2 AND NOT p.is_ending
    RETURNING p.id, p.kind, p.lane, p.note, p.by_name, p.since, p.until
), audited AS (
    SELECT write_audit($1, $3) FROM ended WHERE $3::text IS NOT NULL
)
SELECT e.id, e.kind, e.lane::text, e.note, e.by_name, e.since, e.until, (SELECT count(*) FROM audited) FROM ended AS e

-- name: pauses_unsettled
SELECT 1::bigint
FROM pause
WHERE NOT is_over AND (is_ending OR seen IS NOT NULL OR until <= coalesce($1::bigint, store_now()))
LIMIT 1
