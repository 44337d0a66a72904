UPDATE job
SET status = 'completed',
    worker = NULL,
    progress = 100,
    current_step = NULL,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    completed_at = ?2,
    revision = revision + 1
WHERE number = ?1
