-- The end without a result: failed or cancelled.
UPDATE job
SET status = ?2,
    worker = NULL,
    blocked = 0,
    waiting = 0,
    run_at = NULL,
    failed_epoch = coalesce(?3, failed_epoch),
    error_code = ?4,
    error_message = ?5,
    error_user_message = ?6,
    completed_at = ?7,
    drop_steps_from = ?8,
    revision = revision + 1
WHERE number = ?1
