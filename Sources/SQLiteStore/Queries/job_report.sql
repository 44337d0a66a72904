UPDATE job
SET progress = max(progress, ?3), current_step = ?4, revision = revision + 1
WHERE id = ?1 AND epoch = ?2 AND status = 'processing' AND (progress < ?3 OR current_step IS NOT ?4)
