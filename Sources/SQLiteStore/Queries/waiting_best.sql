SELECT w.job, w.priority, j.queue, j.epoch
FROM waiting AS w
CROSS JOIN job AS j ON j.number = w.job
WHERE w.kind = ?1 AND w.user = ?2
ORDER BY w.priority DESC, w.job
LIMIT 1
