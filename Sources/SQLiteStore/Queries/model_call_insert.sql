INSERT INTO model_call (
    id, job, user, kind, provider, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    cost_micro_dollars, created_at
)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (id) DO NOTHING
