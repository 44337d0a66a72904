-- One job without cost and its claim, one transaction after the other: what a pickup waits for. For pgbench.
SELECT
    array_agg((lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 19))::uuid) AS ids,
    array_agg(1000000 + (:client_id + floor(random() * :users)::bigint) % :users) AS owners,
    array_fill('research'::text, ARRAY[1]) AS kinds,
    array_fill('{"ticker":"AAPL"}'::text, ARRAY[1]) AS inputs,
    array_fill('background'::text, ARRAY[1]) AS lanes,
    array_fill(0::bigint, ARRAY[1]) AS zeros,
    array_fill(1::bigint, ARRAY[1]) AS ones,
    array_fill('gather'::text, ARRAY[1]) AS gather,
    array_fill(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000, ARRAY[1]) AS deadlines,
    array_fill(NULL::text, ARRAY[1]) AS no_texts
FROM generate_series(1, 1) AS s (n) \gset
SELECT place, outcome, earlier, granted, held, used, moment, is_blocked FROM submit_one_each(
    NULL, :ids::uuid[], :owners::bigint[], :kinds::text[], :inputs::text[], :gather::text[], :lanes::text[],
    :zeros::bigint[], :zeros::bigint[], :ones::bigint[], :no_texts::text[], :no_texts::text[], :no_texts::text[],
    :no_texts::text[], :deadlines::bigint[], :zeros::bigint[])
WHERE place < 0;
SELECT id, epoch FROM claim_jobs(NULL, 'raw-' || :client_id, 1, '{}', 0, 1, 0, 0) WHERE id IS NULL AND is_known IS NULL;
