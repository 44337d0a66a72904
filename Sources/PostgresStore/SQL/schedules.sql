-- Runs of schedules.

-- name: fire_tick
SELECT place, outcome, earlier, granted, held, used, timestamp, is_blocked FROM fire_tick($1, $2, $3, $4, $5, $6, $7,
$8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
