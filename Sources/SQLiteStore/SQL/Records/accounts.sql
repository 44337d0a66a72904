-- Users: their accounts, and the brokers' counts of their requests.

-- name: account_by_subject
SELECT id, subject, created_at FROM account WHERE subject = ?1

-- name: account_by_id
SELECT id, subject, created_at FROM account WHERE id = ?1

-- name: account_list
-- The accounts below number ?1 whose subjects begin with ?2, byte for byte.
SELECT id, subject, created_at
FROM account
WHERE id < ?1 AND id >= 0 AND (?2 IS NULL OR substr(subject, 1, length(?2)) = ?2)
ORDER BY id DESC
LIMIT ?3

-- name: account_open
-- A subject that prints a number has this number, ?3; any other subject gets the next one above 2^40. Where an erasure
-- knows the HMAC ?4 of the subject, its credits have been granted before.
INSERT INTO account (id, subject, created_at)
SELECT
    coalesce(
        ?3,
        (
            SELECT max(n.number) + 1
            FROM (
                SELECT 1 << 40 AS number UNION ALL SELECT max(id) FROM account
                UNION ALL SELECT max(number) FROM erasure
            ) AS n
        )),
    ?2, ?1
WHERE true
ON CONFLICT (subject) DO NOTHING;
INSERT INTO balance (user, granted, held, used)
SELECT a.id, 0, 0, 0
FROM account AS a
WHERE a.subject = ?2 AND EXISTS (SELECT 1 FROM erasure WHERE digest = ?4 AND had_credits = 1)
ON CONFLICT (user) DO NOTHING;
INSERT INTO plan_credit (user, month, granted, spent, pool, used)
SELECT a.id, e.month, e.month_granted, e.month_granted, 0, 0
FROM account AS a
CROSS JOIN (
    SELECT month, month_granted FROM erasure
    WHERE digest = ?4 AND month IS NOT NULL
    ORDER BY month DESC, month_granted DESC
    LIMIT 1
) AS e
WHERE a.subject = ?2
ON CONFLICT (user) DO NOTHING;
SELECT id, subject, created_at FROM account WHERE subject = ?2

-- name: rate_count_exchange
-- Stores the counts of broker ?2 in minute ?1 and returns those of the others. The same counts again change
-- nothing.
DELETE FROM rate_count WHERE minute < ?1 - 1;
INSERT INTO rate_count AS r (minute, user, bucket, broker, count)
SELECT ?1, own.value, ?4 ->> own.key, ?2, ?5 ->> own.key FROM json_each(?3) AS own WHERE true
ON CONFLICT (minute, user, bucket, broker) DO UPDATE SET count = max(r.count, excluded.count);
SELECT r.user, r.bucket, sum(r.count)
FROM json_each(?3) AS own
CROSS JOIN rate_count AS r ON r.minute = ?1 AND r.user = own.value AND r.bucket = ?4 ->> own.key AND r.broker <> ?2
GROUP BY r.user, r.bucket

-- name: shared_work_count
-- Counts the works ?3 of user ?2 on day ?1 up to the limit ?4, each once, and returns the counted ones.
DELETE FROM shared_work_use WHERE day < ?1 - 1;
INSERT INTO shared_work_use (day, user, work)
SELECT ?1, ?2, n.work
FROM (
    SELECT a.value AS work, row_number() OVER (ORDER BY a.key) AS place
    FROM json_each(?3) AS a
    WHERE NOT EXISTS (SELECT 1 FROM shared_work_use WHERE day = ?1 AND user = ?2 AND work = a.value)
) AS n
WHERE n.place <= ?4 - (SELECT count(*) FROM shared_work_use WHERE day = ?1 AND user = ?2)
ON CONFLICT DO NOTHING;
SELECT a.value
FROM json_each(?3) AS a
CROSS JOIN shared_work_use AS u ON u.day = ?1 AND u.user = ?2 AND u.work = a.value

-- name: user_usage
-- The unfinished jobs of a user, and the bytes of inputs, results, conversations and recall cards.
SELECT
    (SELECT count(*) FROM job WHERE user = ?1 AND completed_at IS NULL),
    (
        SELECT coalesce(
            sum(
                coalesce(length(i.packed), length(CAST(coalesce(i.input, f.input) AS BLOB)))
                + coalesce(length(r.packed), length(CAST(coalesce(r.result, f.result) AS BLOB)), 0)),
            0)
        FROM job AS j
        LEFT JOIN job_input AS i ON i.job = j.number
        LEFT JOIN job_result AS r ON r.job = j.number
        LEFT JOIN finished_job AS f ON f.job = j.number
        WHERE j.user = ?1
    ) + (
        SELECT coalesce(
            sum(length(CAST(question AS BLOB)) + length(CAST(answer AS BLOB)) + length(CAST(citations AS BLOB))), 0)
        FROM conversation_turn
        WHERE user_id = ?1
    ) + (
        SELECT coalesce(sum(length(CAST(content AS BLOB)) + length(CAST(schedule AS BLOB))), 0)
        FROM recall_card
        WHERE user = ?1
    )

-- name: job_of_idempotency_key
SELECT id FROM job WHERE user = ?1 AND idempotency_key = ?2

-- name: unique_key_unfinished
SELECT 1 FROM job WHERE user = ?1 AND unique_key = ?2 AND completed_at IS NULL
