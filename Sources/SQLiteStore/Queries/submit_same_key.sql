SELECT id, idempotency_fingerprint FROM job WHERE user = ?1 AND idempotency_key = ?2
