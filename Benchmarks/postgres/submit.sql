-- Jobs without cost for claim_complete.sql, fifty at once.
SELECT
    array_agg((lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(random()::text), 1, 19))::uuid) AS ids,
    array_agg(1000000 + (:client_id * 50 + n) % :users) AS owners,
    array_fill('research'::text, ARRAY[50]) AS kinds,
    array_fill('{"ticker":"AAPL"}'::text, ARRAY[50]) AS inputs,
    array_fill('background'::text, ARRAY[50]) AS lanes,
    array_fill(0::bigint, ARRAY[50]) AS zeros,
    array_fill(1::bigint, ARRAY[50]) AS ones,
    array_fill('gather'::text, ARRAY[50]) AS gather,
    array_fill(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000, ARRAY[50]) AS deadlines,
    array_fill(NULL::text, ARRAY[50]) AS no_texts
FROM generate_series(1, 50) AS s (n) \gset
SELECT place, outcome, earlier, granted, held, used, moment, is_blocked FROM submit_one_each(
    NULL, :ids::uuid[], :owners::bigint[], :kinds::text[], :inputs::text[], :gather::text[], :lanes::text[],
    :zeros::bigint[], :zeros::bigint[], :ones::bigint[], :no_texts::text[], :no_texts::text[], :no_texts::text[],
    :no_texts::text[], :deadlines::bigint[], :zeros::bigint[])
WHERE place < 0;
