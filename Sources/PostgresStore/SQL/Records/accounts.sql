-- Users: their accounts, and the brokers' counts of their requests.

-- name: account_by_subject
SELECT id, subject, created_at FROM account WHERE subject = $1

-- name: account_by_id
SELECT id, subject, created_at FROM account WHERE id = $1

-- name: account_list
-- The accounts below number $1 whose subjects begin with $2.
SELECT id, subject, created_at
FROM account
WHERE id < $1::bigint AND id >= 0 AND ($2::text IS NULL OR starts_with(subject, $2::text))
ORDER BY id DESC
LIMIT $3::bigint

-- name: account_open
SELECT id, $2::text, created_at FROM account_for($1, $2, $3, $4)

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

-- name: shared_work_count
-- Counts the works $3 of user $2 on day $1 up to the limit $4, each once, and returns the counted ones.
WITH gone AS (
    DELETE FROM shared_work_use
    WHERE (day, user_id, work) IN (
        SELECT day, user_id, work FROM shared_work_use WHERE day < $1::bigint - 1 LIMIT 1000 FOR UPDATE SKIP LOCKED
    )
),
asked AS (
    SELECT a.work, u.work IS NOT NULL AS is_counted, a.place
    FROM unnest($3::text[]) WITH ORDINALITY AS a (work, place)
    LEFT JOIN shared_work_use AS u ON u.day = $1 AND u.user_id = $2::bigint AND u.work = a.work
),
added AS (
    INSERT INTO shared_work_use (day, user_id, work)
    SELECT $1, $2, n.work
    FROM (SELECT work, row_number() OVER (ORDER BY place) AS place FROM asked WHERE NOT is_counted) AS n
    WHERE n.place <= $4::bigint - (SELECT count(*) FROM shared_work_use WHERE day = $1 AND user_id = $2)
    ON CONFLICT DO NOTHING
    RETURNING work
)
SELECT work FROM asked WHERE is_counted
UNION ALL
SELECT work FROM added

-- name: user_usage
-- The unfinished jobs of a user, and the bytes of inputs, results, conversations and recall cards.
SELECT
    (SELECT count(*) FROM ONLY job WHERE user_id = $1 AND completed_at IS NULL),
    (
        SELECT coalesce(sum(octet_length(input) + coalesce(octet_length(packed), octet_length(result), 0)), 0)::bigint
        FROM job
        WHERE user_id = $1
    ) + (
        SELECT coalesce(sum(octet_length(question) + octet_length(answer) + octet_length(citations)), 0)::bigint
        FROM conversation_turn
        WHERE user_id = $1
    ) + (
        SELECT coalesce(sum(octet_length(content) + octet_length(schedule)), 0)::bigint
        FROM recall_card
        WHERE user_id = $1
    )

-- name: job_of_idempotency_key
SELECT id FROM job WHERE idempotency_key = $2 AND user_id = $1::bigint

-- name: unique_key_unfinished
SELECT 1 FROM unique_job WHERE user_id = $1::bigint AND unique_key = $2
