-- A person asks for another try: all counts start anew.
UPDATE job
SET status = 'pending',
    blocked = ?2,
    hold = ?3,
    deadline = ?4 + time_limit,
    attempt = 0,
    interrupted = 0,
    deaths = 0,
    drop_steps_from = NULL,
    progress = 0,
    current_step = NULL,
    error_code = NULL,
    error_message = NULL,
    error_user_message = NULL,
    started_at = NULL,
    completed_at = NULL,
    revision = revision + 1
WHERE number = ?1
