SELECT s.run_at, s.job, j.queue, j.user, j.priority, j.kind, j.limited, j.epoch
FROM schedule AS s
CROSS JOIN job AS j ON j.number = s.job
WHERE s.run_at <= ?1
ORDER BY s.run_at, s.job
LIMIT ?2
