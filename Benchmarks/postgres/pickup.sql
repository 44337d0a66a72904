-- Submits and claims one job without cost in one transaction, like a pickup by a worker in the process of the submit;
-- without the pipeline commands in two transactions, like a pickup elsewhere. For pgbench.
\startpipeline
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked FROM submit_one_each(
    NULL, ARRAY[(lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 19))::uuid],
    ARRAY[1000000 + floor(random() * :users)::bigint], '{research}',
    ARRAY['{"ticker":"AAPL"}'], '{gather}', '{background}', '{0}', '{0}', '{1}', '{NULL}', '{NULL}', '{NULL}', '{NULL}',
    ARRAY[floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000], '{0}',
    ARRAY['AAPL as Warren Buffett'])
WHERE place < 0;
SELECT id, epoch FROM claim_jobs(NULL, 'raw-' || :client_id, 1, '{}', true, 0, 1, 0, 0, '{}', '{}') WHERE id IS NULL AND is_known IS NULL;
\endpipeline
