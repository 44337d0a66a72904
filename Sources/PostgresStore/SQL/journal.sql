-- The journal of a job, and the records that jobs write with its steps.

-- name: append_steps
SELECT place, sequence FROM append_steps($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: step_list
-- The journals of jobs in order. A row without a name says only that the job exists and the epoch holds it; without an
-- epoch, any journal is returned.
SELECT asked.place, s.name, s.occurrence, s.input_hash, s.packed, s.output, s.sequence, s.epoch,
    s.started_at, s.ended_at
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked (id, epoch, place)
CROSS JOIN LATERAL (
    SELECT job.number
    FROM job
    WHERE job.id = asked.id AND (asked.epoch IS NULL OR (job.epoch = asked.epoch AND job.status = 'processing'))
    OFFSET 0
) AS j
LEFT JOIN LATERAL (SELECT * FROM step WHERE step.job = j.number OFFSET 0) AS s ON true
ORDER BY asked.place, s.sequence

-- name: apply_records
-- Writes the records of steps and completions, after the statement of the same transaction that checks their leases.
SELECT apply_records($1, $2, $3, $4, $5, $6, $7)
