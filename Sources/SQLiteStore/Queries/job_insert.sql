INSERT INTO job (
    id, user, kind, bundle, queue, priority, cost, max_attempts, concurrency_key, unique_key, idempotency_key,
    idempotency_fingerprint, request_id, created_at, time_limit, deadline, limited, status, blocked, run_at,
    hold
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 'pending', ?18, ?19,
    ?20)
