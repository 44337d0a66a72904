-- One job without cost and its claim in one transaction, which is what a pickup in the process of the submit waits for;
-- without the lines of the pipeline in two, for a pickup elsewhere. For pgbench.
\startpipeline
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked FROM submit_one_each(
    NULL, ARRAY[(lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 19))::uuid],
    ARRAY[1000000 + floor(random() * :users)::bigint], '{research}',
    ARRAY['{"ticker":"AAPL"}'], '{gather}', '{background}', '{0}', '{0}', '{1}', '{NULL}', '{NULL}', '{NULL}', '{NULL}',
    ARRAY[floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000], '{0}')
WHERE place < 0;
SELECT id, epoch FROM claim_jobs(NULL, 'raw-' || :client_id, 1, '{}', 0, 1, 0, 0) WHERE id IS NULL AND is_known IS NULL;
\endpipeline
