-- Workers, as operators see them.

-- name: worker_records
-- The workers below number $1, newest first, or worker $3. The last sign of one is as old as its distance on the
-- fleet's clock.
SELECT w.number, w.id, w.host, w.process_id, w.started_at, f.observed_at - (f.elapsed - w.heard_at),
    w.drained_at IS NOT NULL, w.concurrency, w.abilities, (SELECT count(*) FROM lease AS l WHERE l.worker = w.number),
    (
        SELECT string_agg(h.id, ',')
        FROM (
            SELECT replace(j.id::text, '-', '') AS id
            FROM lease AS l
            JOIN job AS j ON j.number = l.job
            WHERE l.worker = w.number
            ORDER BY l.job
            LIMIT 1000
        ) AS h
    )
FROM worker AS w
CROSS JOIN fleet_clock AS f
WHERE w.number < $1 AND ($3::text IS NULL OR w.id = $3)
ORDER BY w.number DESC
LIMIT $2

-- name: worker_drain
-- Sets ($2 is 1) or ends the drain of worker $3 at $1.
WITH changed AS (
    UPDATE worker SET drained_at = CASE $2::bigint WHEN 1 THEN coalesce($1::bigint, store_now()) END
    WHERE id = $3 AND (drained_at IS NULL) = ($2::bigint = 1)
    RETURNING id
)
SELECT write_audit($1, $4) FROM changed WHERE $4::text IS NOT NULL

-- name: worker_is_draining
SELECT 1::bigint FROM worker WHERE id = $1 AND drained_at IS NOT NULL
