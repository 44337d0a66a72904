SELECT place, outcome, earlier, granted, held, used, timestamp, is_blocked FROM submit_one_each($1, $2, $3, $4, $5, $6, $7,
$8, $9, $10, $11, $12, $13, $14, $15, $16)
