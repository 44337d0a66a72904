-- Workers, as operators see them.

-- name: worker_records
-- The workers below number ?1, newest first, or worker ?3. The last sign of one is as old as its distance on the
-- fleet's clock.
SELECT w.number, w.id, w.host, w.process_id, w.started_at, f.observed_at - (f.elapsed - w.heard_at),
    w.drained_at IS NOT NULL, w.concurrency, w.abilities, (SELECT count(*) FROM lease AS l WHERE l.worker = w.number),
    (
        SELECT group_concat(h.id, ',')
        FROM (
            SELECT lower(hex(j.id)) AS id
            FROM lease AS l
            CROSS JOIN job AS j ON j.number = l.job
            WHERE l.worker = w.number
            ORDER BY l.job
            LIMIT 1000
        ) AS h
    )
FROM worker AS w
CROSS JOIN fleet_clock AS f
WHERE w.number < ?1 AND (?3 IS NULL OR w.id = ?3)
ORDER BY w.number DESC
LIMIT ?2

-- name: worker_drain
-- Sets (?2 is 1) or ends the drain of worker ?3 at ?1.
UPDATE worker SET drained_at = CASE ?2 WHEN 1 THEN ?1 END WHERE id = ?3 AND (drained_at IS NULL) = ?2;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?4 WHERE ?4 IS NOT NULL AND changes() = 1

-- name: worker_is_draining
SELECT 1 FROM worker WHERE id = ?1 AND drained_at IS NOT NULL
