-- The current bundle with its concurrency limits, shared budgets and rates.

-- name: adopt_bundle
SELECT adopt_bundle FROM adopt_bundle($1, $2, $3, $4, $5)

-- name: current_bundle_get
SELECT hash FROM current_bundle

-- name: exchange_budgets
SELECT name, is_current, version, state, timestamp FROM exchange_budgets($1, $2, $3)

-- name: rate_count_exchange
-- Puts down what broker $2 has counted in minute $1, and tells what the others have. The same counts again change
-- nothing.
WITH gone AS (
    DELETE FROM rate_count
    WHERE (minute, user_id, bucket, broker) IN (
        SELECT minute, user_id, bucket, broker FROM rate_count WHERE minute < $1::bigint - 1 FOR UPDATE SKIP LOCKED
    )
),
own AS (
    INSERT INTO rate_count AS r (minute, user_id, bucket, broker, count)
    SELECT $1, a.user_id, a.bucket, $2, a.count
    FROM unnest($3::bigint[], $4::text[], $5::bigint[]) AS a (user_id, bucket, count)
    ORDER BY a.user_id, a.bucket
    ON CONFLICT (minute, user_id, bucket, broker) DO UPDATE SET count = greatest(r.count, excluded.count)
)
SELECT a.user_id, a.bucket, sum(r.count)::bigint
FROM unnest($3::bigint[], $4::text[]) AS a (user_id, bucket)
JOIN rate_count AS r ON r.minute = $1 AND r.user_id = a.user_id AND r.bucket = a.bucket AND r.broker <> $2::text
GROUP BY a.user_id, a.bucket
