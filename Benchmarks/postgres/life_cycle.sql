-- The raw limit of a job's life cycle in PostgreSQL: the store's own statements in their order, fifty jobs each, without
-- the store. For pgbench, on a database that `dossier migrate` and prepare.sql have prepared.
SELECT
    array_agg((lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 19))::uuid) AS ids,
    array_agg(1000000 + (:client_id * 50 + n) % :users) AS owners,
    array_fill('research'::text, ARRAY[50]) AS kinds,
    array_fill('{"ticker":"AAPL"}'::text, ARRAY[50]) AS inputs,
    array_fill('background'::text, ARRAY[50]) AS queues,
    array_fill(0::bigint, ARRAY[50]) AS zeros,
    array_fill(1::bigint, ARRAY[50]) AS ones,
    array_fill(30::bigint, ARRAY[50]) AS thirties,
    array_fill('gather'::text, ARRAY[50]) AS gather,
    array_fill('draft'::text, ARRAY[50]) AS draft,
    array_fill('{}'::text, ARRAY[50]) AS outputs,
    array_fill(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000, ARRAY[50]) AS deadlines,
    array_fill(NULL::text, ARRAY[50]) AS no_texts,
    array_fill(NULL::bigint, ARRAY[50]) AS no_numbers,
    array_fill('AAPL as Warren Buffett'::text, ARRAY[50]) AS subjects,
    array_fill(NULL::bytea, ARRAY[50]) AS no_bytes
FROM generate_series(1, 50) AS s (n) \gset
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked FROM submit_one_each(
    NULL, :ids::uuid[], :owners::bigint[], :kinds::text[], :inputs::text[], :gather::text[], :queues::text[],
    :zeros::bigint[], :ones::bigint[], :ones::bigint[], :no_texts::text[], :no_texts::text[], :no_texts::text[],
    :no_texts::text[], :deadlines::bigint[], :zeros::bigint[], :subjects::text[])
WHERE place < 0;
SELECT coalesce(array_agg(id ORDER BY id), '{}') AS claimed, coalesce(array_agg(epoch ORDER BY id), '{}') AS epochs
FROM claim_jobs(NULL, 'raw-' || :client_id, 1, '{}', true, 0, 50, 0, 0, '{}', '{}')
WHERE id IS NOT NULL \gset
SELECT report_progress(:claimed::uuid[], :epochs::bigint[], :thirties::bigint[], :draft::text[]);
SELECT place, sequence FROM append_steps(
    NULL, :claimed::uuid[], :epochs::bigint[], :gather::text[], :zeros::bigint[], :gather::text[], :outputs::text[],
    :no_bytes::bytea[], 1000, :no_numbers::bigint[])
WHERE place < 0;
SELECT place, sequence FROM append_steps(
    NULL, :claimed::uuid[], :epochs::bigint[], :draft::text[], :zeros::bigint[], :gather::text[], :outputs::text[],
    :no_bytes::bytea[], 1000, :no_numbers::bigint[])
WHERE place < 0;
SELECT place, is_done, made_ready FROM complete_jobs(
    NULL, :claimed::uuid[], :epochs::bigint[], :outputs::text[], :no_bytes::bytea[])
WHERE place < 0;
