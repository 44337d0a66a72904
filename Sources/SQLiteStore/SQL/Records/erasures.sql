-- Erasure of users: its beginning, its parts, and what is known of it afterwards.

-- name: erasure_key
SELECT key FROM erasure_key

-- name: erasure_start
-- Begins the erasure ?2 of user ?3, whose subject has the HMAC ?4, unless one runs already, and ends the user's access.
INSERT INTO erasure (number, id, user, subject, digest, requested_at, complete_by)
SELECT
    (
        SELECT max(n.number) + 1
        FROM (
            SELECT 1 << 40 AS number UNION ALL SELECT max(id) FROM account UNION ALL SELECT max(number) FROM erasure
        ) AS n
    ),
    ?2, a.id, a.subject, ?4, ?1, ?1 + ?5
FROM account AS a
WHERE a.id = ?3
ON CONFLICT DO NOTHING;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?6 WHERE ?6 IS NOT NULL AND changes() = 1;
UPDATE session SET ended_at = ?1 WHERE user = ?3 AND ended_at IS NULL AND ends_at > ?1;
UPDATE api_key SET revoked_at = ?1
WHERE creator_type = 'user' AND creator_id = CAST(?3 AS TEXT) AND revoked_at IS NULL;
DELETE FROM webhook_endpoint WHERE user = ?3;
DELETE FROM webhook_delivery WHERE user = ?3 AND status = 'pending';
DELETE FROM webhook_delivery WHERE about = ?3 AND status = 'pending';
SELECT id, number, user, subject, requested_at, complete_by, completed_at, digest FROM erasure WHERE user = ?3

-- name: erasure_by_id
SELECT id, number, user, subject, requested_at, complete_by, completed_at, digest FROM erasure WHERE id = ?1

-- name: erasure_by_number
SELECT id, number, user, subject, requested_at, complete_by, completed_at, digest FROM erasure WHERE number = ?1

-- name: erasures_running
SELECT id, number, user, subject, requested_at, complete_by, completed_at, digest
FROM erasure
WHERE completed_at IS NULL
ORDER BY requested_at
LIMIT ?1

-- name: erasure_unfinished_jobs
SELECT id FROM job WHERE user = ?1 AND completed_at IS NULL LIMIT ?2

-- name: erasure_rows
-- Takes a few rows of user ?2 away, or gives them the number ?1; ?3 is the largest number of rows of a table, and of the
-- parts of archives, which are large, a tenth. Returns whether any are left. The ledger comes after the jobs, with which the audit of credits compares it. A booking by batch
-- ends with its line, at ?4: it keeps its estimate unless no provider has seen it.
DELETE FROM webhook_delivery WHERE number IN (SELECT number FROM webhook_delivery WHERE user = ?2 LIMIT ?3);
DELETE FROM webhook_delivery WHERE number IN (SELECT number FROM webhook_delivery WHERE about = ?2 LIMIT ?3);
DELETE FROM webhook_endpoint WHERE user = ?2;
DELETE FROM refresh_token WHERE session IN (SELECT id FROM session WHERE user = ?2 ORDER BY id LIMIT ?3);
DELETE FROM session WHERE id IN (SELECT id FROM session WHERE user = ?2 ORDER BY id LIMIT ?3);
DELETE FROM conversation_turn WHERE number IN (SELECT number FROM conversation_turn WHERE user_id = ?2 LIMIT ?3);
DELETE FROM passage_vector
WHERE digest IN (SELECT digest FROM passage WHERE owner = ?2 ORDER BY number LIMIT ?3)
    AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.digest = passage_vector.digest AND p.owner IS NOT ?2);
DELETE FROM passage WHERE number IN (SELECT number FROM passage WHERE owner = ?2 ORDER BY number LIMIT ?3);
DELETE FROM article_signal
WHERE user = ?2 AND url IN (SELECT url FROM article_signal WHERE user = ?2 LIMIT ?3);
DELETE FROM recall_card WHERE user = ?2 AND id IN (SELECT id FROM recall_card WHERE user = ?2 LIMIT ?3);
DELETE FROM user_export WHERE user = ?2;
DELETE FROM user_export_part
WHERE number IN (SELECT number FROM user_export_part WHERE user = ?2 LIMIT (?3 + 9) / 10);
INSERT INTO ledger_job (job, kind)
SELECT id, kind
FROM job
WHERE cost > 0 AND id IN (SELECT id FROM job WHERE user = ?2 AND completed_at IS NOT NULL ORDER BY id LIMIT ?3)
ON CONFLICT DO NOTHING;
UPDATE model_call
SET state = 'cancelled', ended_at = ?4, least_output_tokens = NULL, least_cost_micro_dollars = NULL,
    cost_micro_dollars = CASE WHEN l.batch IS NULL THEN 0 ELSE cost_micro_dollars END
FROM model_batch_line AS l
WHERE l.call = model_call.id AND model_call.state = 'running'
    AND l.job IN (SELECT id FROM job WHERE user = ?2 AND completed_at IS NOT NULL ORDER BY id LIMIT ?3);
DELETE FROM model_batch_line
WHERE job IN (SELECT id FROM job WHERE user = ?2 AND completed_at IS NOT NULL ORDER BY id LIMIT ?3);
DELETE FROM job WHERE id IN (SELECT id FROM job WHERE user = ?2 AND completed_at IS NOT NULL ORDER BY id LIMIT ?3);
UPDATE job SET billed_user = ?1 WHERE number IN (SELECT number FROM job WHERE billed_user = ?2 LIMIT ?3);
DELETE FROM model_batch_line
WHERE job IN (
        SELECT m.job
        FROM model_call AS m
        WHERE m.id IN (SELECT id FROM model_call WHERE user = ?2 ORDER BY created_at, id LIMIT ?3)
    )
    AND NOT EXISTS (SELECT 1 FROM job AS j WHERE j.id = model_batch_line.job);
UPDATE model_call SET user = ?1
WHERE id IN (SELECT id FROM model_call WHERE user = ?2 ORDER BY created_at, id LIMIT ?3);
UPDATE credit_grant SET user = ?1, external_id = NULL, note = NULL
WHERE digest IN (SELECT digest FROM credit_grant WHERE user = ?2 LIMIT ?3);
UPDATE ledger
SET user = ?1, note = CASE note WHEN 'starting credits' THEN note END
WHERE entry IN (SELECT entry FROM ledger WHERE user = ?2 ORDER BY entry LIMIT ?3)
    AND NOT EXISTS (SELECT 1 FROM job WHERE user = ?2);
UPDATE audit
SET user = ?1, request_id = NULL,
    target = CASE
        WHEN target IN (SELECT subject FROM erasure WHERE number = ?1) OR target = CAST(?2 AS TEXT)
        THEN CAST(?1 AS TEXT)
        ELSE target
    END,
    details = (
        SELECT json_group_object(
            d.key, CASE d.type WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE d.value END)
        FROM json_each(audit.details) AS d
        WHERE d.type IN ('integer', 'real', 'true', 'false') OR d.key IN ('source', 'plan')
    )
WHERE id IN (SELECT id FROM audit WHERE user = ?2 LIMIT ?3);
UPDATE operation
SET actor_id = CAST(?1 AS TEXT), actor_name = CAST(?1 AS TEXT), note = NULL, request_id = NULL
WHERE actor_type = 'user' AND actor_id = CAST(?2 AS TEXT);
UPDATE operation SET user = ?1, note = NULL, request_id = NULL WHERE user = ?2;
UPDATE pause
SET by_name = CAST(?1 AS TEXT), note = NULL
WHERE by_name = (SELECT subject FROM erasure WHERE number = ?1);
UPDATE audit
SET actor_id = CAST(?1 AS TEXT), actor_name = CAST(?1 AS TEXT), request_id = NULL,
    details = (
        SELECT json_group_object(
            d.key, CASE d.type WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE d.value END)
        FROM json_each(audit.details) AS d
        WHERE d.type IN ('integer', 'real', 'true', 'false') OR d.key IN ('source', 'plan')
    )
WHERE id IN (
    SELECT id FROM audit WHERE actor_type = 'user' AND actor_id = CAST(?2 AS TEXT) LIMIT ?3
);
SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM webhook_delivery WHERE about = ?2)
    OR EXISTS (SELECT 1 FROM session WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM conversation_turn WHERE user_id = ?2)
    OR EXISTS (SELECT 1 FROM passage WHERE owner = ?2)
    OR EXISTS (SELECT 1 FROM article_signal WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM recall_card WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM user_export WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM user_export_part WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM job WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM job WHERE billed_user = ?2)
    OR EXISTS (SELECT 1 FROM model_call WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM credit_grant WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM ledger WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM audit WHERE user = ?2)
    OR EXISTS (SELECT 1 FROM audit WHERE actor_type = 'user' AND actor_id = CAST(?2 AS TEXT))

-- name: erasure_account
-- Takes the small rest of user ?2 away and, when nothing else is left, the account. Returns whether it is still there.
-- The balance stays while a job could still release credits.
DELETE FROM watchlist WHERE user = ?2;
DELETE FROM preferences WHERE user = ?2;
DELETE FROM brief WHERE user = ?2;
DELETE FROM shared_work_use WHERE user = ?2;
DELETE FROM rate_count WHERE user = ?2;
DELETE FROM user_position WHERE user = ?2;
DELETE FROM user_concurrency WHERE user = ?2;
DELETE FROM access_generation WHERE user = ?2;
DELETE FROM api_key WHERE creator_type = 'user' AND creator_id = CAST(?2 AS TEXT);
INSERT INTO user_spend (day, user, micro_dollars)
SELECT day, ?1, micro_dollars FROM user_spend WHERE user = ?2
ON CONFLICT (day, user) DO UPDATE SET micro_dollars = micro_dollars + excluded.micro_dollars;
DELETE FROM user_spend WHERE user = ?2;
UPDATE erasure
SET had_credits = max(had_credits, EXISTS (SELECT 1 FROM balance WHERE user = ?2)),
    month = coalesce((SELECT month FROM plan_credit WHERE user = ?2), month),
    month_granted = coalesce((SELECT granted FROM plan_credit WHERE user = ?2), month_granted)
WHERE number = ?1;
DELETE FROM plan_credit WHERE user = ?2;
DELETE FROM user_plan WHERE user = ?2;
DELETE FROM user_bar WHERE user = ?2;
INSERT INTO balance (user, granted, held, used)
SELECT ?1, granted, held, used
FROM balance
WHERE user = ?2
    AND NOT EXISTS (SELECT 1 FROM job WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE user = ?2)
ON CONFLICT (user) DO UPDATE
SET granted = granted + excluded.granted, held = held + excluded.held, used = used + excluded.used;
DELETE FROM balance
WHERE user = ?2
    AND NOT EXISTS (SELECT 1 FROM job WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE user = ?2);
DELETE FROM account
WHERE id = ?2
    AND NOT EXISTS (SELECT 1 FROM session WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM job WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM model_call WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM credit_grant WHERE user = ?2)
    AND NOT EXISTS (SELECT 1 FROM audit WHERE user = ?2);
UPDATE erasure SET user = NULL, subject = NULL
WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM account WHERE id = ?2);
SELECT EXISTS (SELECT 1 FROM account WHERE id = ?2)

-- name: erasure_complete
UPDATE erasure SET completed_at = ?1 WHERE number = ?2 AND user IS NULL AND completed_at IS NULL

-- name: erasures_forget
-- Forgets the subjects of erasures that completed before ?1.
UPDATE erasure SET digest = NULL WHERE completed_at < ?1 AND digest IS NOT NULL
