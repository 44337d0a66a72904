-- Back to pending after a failed attempt.
UPDATE job
SET status = 'pending',
    worker = NULL,
    run_at = ?2,
    failed_epoch = epoch,
    error_code = ?3,
    error_message = ?4,
    error_user_message = ?5,
    revision = revision + 1
WHERE number = ?1
