-- Submits fifty jobs of different users in one transaction, by the store's own statement; `cost` is the price of each.
-- For pgbench.
SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked FROM submit_one_each(
    NULL,
    ARRAY(
        SELECT (lpad(to_hex(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(random()::text), 1, 19))::uuid
        FROM generate_series(1, 50)),
    ARRAY(SELECT 1000000 + (:client_id * 50 + n) % :users FROM generate_series(1::bigint, 50) AS s (n)),
    array_fill('research'::text, ARRAY[50]), array_fill('{"ticker":"AAPL"}'::text, ARRAY[50]),
    array_fill('gather'::text, ARRAY[50]), array_fill('background'::text, ARRAY[50]),
    array_fill(0::bigint, ARRAY[50]), array_fill(:cost::bigint, ARRAY[50]), array_fill(1::bigint, ARRAY[50]),
    array_fill(NULL::text, ARRAY[50]), array_fill(NULL::text, ARRAY[50]), array_fill(NULL::text, ARRAY[50]),
    array_fill(NULL::text, ARRAY[50]),
    array_fill(floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 3600000, ARRAY[50]),
    array_fill(0::bigint, ARRAY[50]), array_fill('AAPL as Warren Buffett'::text, ARRAY[50]))
WHERE place < 0;
