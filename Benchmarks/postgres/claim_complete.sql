-- Claims fifty ready jobs and completes them under their leases, by the store's own statements. For pgbench.
SELECT coalesce(array_agg(id ORDER BY id), '{}') AS claimed, coalesce(array_agg(epoch ORDER BY id), '{}') AS epochs
FROM claim_jobs(NULL, 'raw-' || :client_id, 1, '{}', true, 0, 50, 0, 0, '{}', '{}')
WHERE id IS NOT NULL \gset
SELECT
    array_fill('{}'::text, ARRAY[cardinality(:claimed::uuid[])]) AS outputs,
    array_fill(NULL::bytea, ARRAY[cardinality(:claimed::uuid[])]) AS no_bytes \gset
SELECT place, is_done, made_ready FROM complete_jobs(
    NULL, :claimed::uuid[], :epochs::bigint[], :outputs::text[], :no_bytes::bytea[])
WHERE place < 0;
