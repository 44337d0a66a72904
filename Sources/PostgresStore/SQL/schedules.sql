-- Runs of schedules.

-- name: enqueue_scheduled_run
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked
FROM enqueue_scheduled_run(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24
)
