SELECT j.id, j.epoch
FROM worker AS w
CROSS JOIN lease AS l ON l.worker = w.number
CROSS JOIN job AS j ON j.number = l.job
WHERE w.id = ?1
