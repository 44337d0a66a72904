UPDATE job
SET status = 'processing',
    worker = ?2,
    epoch = epoch + 1,
    attempt = CASE WHEN interrupted THEN attempt ELSE attempt + 1 END,
    progress = CASE WHEN interrupted THEN progress ELSE 0 END,
    current_step = CASE WHEN interrupted THEN current_step END,
    interrupted = 0,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    started_at = coalesce(started_at, ?3),
    revision = revision + 1
WHERE number = ?1
