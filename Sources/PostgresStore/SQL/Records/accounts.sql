-- Users: their accounts, and the brokers' counts of their requests.

-- name: account_by_subject
SELECT id, subject, created_at FROM account WHERE subject = $1

-- name: account_by_id
SELECT id, subject, created_at FROM account WHERE id = $1

-- name: account_open
SELECT id, $2::text, created_at FROM account_for($1, $2, $3)

-- name: rate_count_exchange
-- Stores the counts of broker $2 in minute $1 and returns those of the others. The same counts again change
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
