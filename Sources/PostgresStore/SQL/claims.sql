-- Claiming jobs, and the calls of the worker that holds the lease. `Functions/` has the functions of these names.

-- name: claim_jobs
SELECT * FROM claim_jobs($1, $2, $3, $4, $5::bigint <> 0, $6, $7, $8, $9, $10, $11)

-- name: report_progress
SELECT report_progress($1, $2, $3, $4)

-- name: complete_jobs
SELECT place, is_done, made_ready FROM complete_jobs($1, $2, $3, $4, $5)

-- name: fail_jobs
SELECT place, is_done FROM fail_jobs($1, $2, $3, $4, $5, $6, $7, $8)

-- name: snooze_jobs
SELECT snooze_jobs($1, $2, $3, $4, $5)

-- name: wake_jobs
SELECT wake_jobs($1, $2, $3, $4)
