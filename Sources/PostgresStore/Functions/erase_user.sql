-- Erasure of users. What stays gets a number that was made for the erasure.

-- Begins an erasure of a user, unless one runs already, and ends the user's access. Returns the one that runs; NULL for
-- an unknown user.
CREATE OR REPLACE FUNCTION start_erasure(
    p_now bigint, p_id text, p_user bigint, p_digest text, p_limit bigint, p_audit text
) RETURNS erasure
LANGUAGE plpgsql
AS $$
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_erasure erasure;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('erasure', p_user));
    SELECT e.* INTO v_erasure FROM erasure AS e WHERE e.user_id = p_user;
    IF FOUND THEN
        RETURN v_erasure;
    END IF;
    INSERT INTO erasure (number, id, user_id, subject, digest, requested_at, complete_by)
    SELECT nextval('account_number'), p_id, a.id, a.subject, p_digest, v_now, v_now + p_limit
    FROM account AS a
    WHERE a.id = p_user
    RETURNING * INTO v_erasure;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF p_audit IS NOT NULL THEN
        PERFORM write_audit(v_now, p_audit);
    END IF;
    UPDATE session AS s SET ended_at = v_now WHERE s.user_id = p_user AND s.ended_at IS NULL AND s.ends_at > v_now;
    UPDATE api_key AS k SET revoked_at = v_now
    WHERE k.creator_type = 'user' AND k.creator_id = p_user::text AND k.revoked_at IS NULL;
    DELETE FROM webhook_endpoint AS e WHERE e.user_id = p_user;
    DELETE FROM webhook_delivery AS d WHERE d.user_id = p_user AND d.status = 'pending';
    DELETE FROM webhook_delivery AS d WHERE d.about = p_user AND d.status = 'pending';
    RETURN v_erasure;
END
$$;

-- The members of an audit entry's details that name nobody: numbers, and words of the service.
CREATE OR REPLACE FUNCTION details_without_texts(p_details text) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$
SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}')::text
FROM jsonb_each(p_details::jsonb) AS d
WHERE jsonb_typeof(d.value) IN ('number', 'boolean') OR d.key IN ('source', 'plan') AND d.value <> 'null'
$$;

-- Takes a few rows of a user away, or gives them another number; `p_limit` is the largest number of rows of a table.
-- Returns 1 while any are left. The ledger comes after the jobs, with which the audit of credits compares it.
CREATE OR REPLACE FUNCTION erase_rows(p_number bigint, p_user bigint, p_limit bigint, p_now bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_numbers bigint[];
    v_ids uuid[];
    v_calls text[];
BEGIN
    -- One pass at a time.
    PERFORM pg_advisory_xact_lock(hashtextextended('erasure', p_user));
    DELETE FROM webhook_delivery AS d
    WHERE d.number = ANY (ARRAY(SELECT w.number FROM webhook_delivery AS w WHERE w.user_id = p_user LIMIT p_limit));
    DELETE FROM webhook_delivery AS d
    WHERE d.number = ANY (ARRAY(SELECT w.number FROM webhook_delivery AS w WHERE w.about = p_user LIMIT p_limit));
    DELETE FROM webhook_endpoint AS e WHERE e.user_id = p_user;
    DELETE FROM refresh_token AS t
    WHERE t.session = ANY (ARRAY(SELECT s.id FROM session AS s WHERE s.user_id = p_user ORDER BY s.id LIMIT p_limit));
    DELETE FROM session AS s
    WHERE s.id = ANY (ARRAY(SELECT n.id FROM session AS n WHERE n.user_id = p_user ORDER BY n.id LIMIT p_limit));
    DELETE FROM conversation_turn AS t
    WHERE t.number = ANY (
        ARRAY(SELECT n.number FROM conversation_turn AS n WHERE n.user_id = p_user LIMIT p_limit));
    v_numbers := ARRAY(SELECT p.number FROM passage AS p WHERE p.owner = p_user LIMIT p_limit);
    DELETE FROM passage_vector AS v
    WHERE v.digest IN (SELECT p.digest FROM passage AS p WHERE p.number = ANY (v_numbers))
        AND NOT EXISTS (SELECT FROM passage AS p WHERE p.digest = v.digest AND p.owner IS DISTINCT FROM p_user);
    DELETE FROM passage AS p WHERE p.number = ANY (v_numbers);
    DELETE FROM article_signal AS s
    WHERE s.user_id = p_user
        AND s.url = ANY (ARRAY(SELECT n.url FROM article_signal AS n WHERE n.user_id = p_user LIMIT p_limit));
    DELETE FROM recall_card AS c
    WHERE c.user_id = p_user
        AND c.id = ANY (ARRAY(SELECT n.id FROM recall_card AS n WHERE n.user_id = p_user LIMIT p_limit));
    DELETE FROM user_export AS e WHERE e.user_id = p_user;
    -- A tenth, since parts of archives are large.
    DELETE FROM user_export_part AS e
    WHERE e.number = ANY (
        ARRAY(SELECT n.number FROM user_export_part AS n WHERE n.user_id = p_user LIMIT (p_limit + 9) / 10));

    SELECT array_agg(j.number), array_agg(j.id) INTO v_numbers, v_ids
    FROM (
        SELECT h.number, h.id
        FROM job AS h
        WHERE h.user_id = p_user AND h.completed_at IS NOT NULL
        LIMIT p_limit
        FOR UPDATE
    ) AS j;
    INSERT INTO ledger_job (job, kind)
    SELECT j.id, j.kind FROM job AS j WHERE j.number = ANY (v_numbers) AND j.cost > 0
    ON CONFLICT DO NOTHING;
    PERFORM delete_batch_lines(v_ids, p_now);
    DELETE FROM step AS s WHERE s.job = ANY (v_numbers);
    DELETE FROM job AS j WHERE j.number = ANY (v_numbers);
    UPDATE job AS j SET billed_user = p_number
    WHERE j.number = ANY (ARRAY(SELECT h.number FROM job AS h WHERE h.billed_user = p_user LIMIT p_limit));

    v_calls := ARRAY(
        SELECT m.id FROM model_call AS m WHERE m.user_id = p_user ORDER BY m.created_at LIMIT p_limit FOR UPDATE);
    PERFORM delete_batch_lines(
        ARRAY(
            SELECT m.job FROM model_call AS m
            WHERE m.id = ANY (v_calls) AND NOT EXISTS (SELECT FROM job AS j WHERE j.id = m.job)),
        p_now);
    UPDATE model_call AS m SET user_id = p_number WHERE m.id = ANY (v_calls);
    UPDATE credit_grant AS g SET user_id = p_number, external_id = NULL, note = NULL
    WHERE g.digest = ANY (ARRAY(SELECT n.digest FROM credit_grant AS n WHERE n.user_id = p_user LIMIT p_limit));
    IF NOT EXISTS (SELECT FROM job AS j WHERE j.user_id = p_user) THEN
        UPDATE ledger AS l
        SET user_id = p_number, note = CASE l.note WHEN 'starting credits' THEN l.note END
        WHERE l.entry = ANY (
            ARRAY(SELECT n.entry FROM ledger AS n WHERE n.user_id = p_user ORDER BY n.entry LIMIT p_limit));
    END IF;
    UPDATE audit AS a
    SET user_id = p_number, request_id = NULL, details = details_without_texts(a.details),
        target = CASE
            WHEN a.target = p_user::text OR a.target = (SELECT e.subject FROM erasure AS e WHERE e.number = p_number)
            THEN p_number::text
            ELSE a.target
        END
    WHERE a.id = ANY (ARRAY(SELECT n.id FROM audit AS n WHERE n.user_id = p_user LIMIT p_limit));
    UPDATE operation AS o
    SET actor_id = p_number::text, actor_name = p_number::text, note = NULL, request_id = NULL
    WHERE o.actor_type = 'user' AND o.actor_id = p_user::text;
    UPDATE operation AS o SET user_id = p_number, note = NULL, request_id = NULL WHERE o.user_id = p_user;
    UPDATE pause AS p
    SET by_name = p_number::text, note = NULL
    WHERE p.by_name = (SELECT e.subject FROM erasure AS e WHERE e.number = p_number);
    UPDATE audit AS a
    SET actor_id = p_number::text, actor_name = p_number::text, request_id = NULL,
        details = details_without_texts(a.details)
    WHERE a.id = ANY (
        ARRAY(
            SELECT n.id FROM audit AS n WHERE n.actor_id = p_user::text AND n.actor_type = 'user' LIMIT p_limit));
    RETURN CASE WHEN has_rows_of_user(p_user) THEN 1 ELSE 0 END;
END
$$;

-- Deletes the lines of batches of jobs that have ended. A booking by batch ends with its line: it keeps its estimate
-- unless no provider has seen it.
CREATE OR REPLACE FUNCTION delete_batch_lines(p_jobs uuid[], p_now bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    WITH gone AS (
        DELETE FROM model_batch_line AS l WHERE l.job = ANY (p_jobs) RETURNING l.call, l.batch
    )
    UPDATE model_call AS m
    SET state = 'cancelled', ended_at = coalesce(p_now, store_now()), least_output_tokens = NULL,
        least_cost_micro_dollars = NULL,
        cost_micro_dollars = CASE WHEN g.batch IS NULL THEN 0 ELSE m.cost_micro_dollars END
    FROM gone AS g
    WHERE m.id = g.call AND m.state = 'running';
END
$$;

-- Whether any rows are left that `erase_rows` takes away.
CREATE OR REPLACE FUNCTION has_rows_of_user(p_user bigint) RETURNS boolean
LANGUAGE sql STABLE
AS $$
SELECT EXISTS (SELECT FROM webhook_delivery AS d WHERE d.user_id = p_user)
    OR EXISTS (SELECT FROM webhook_delivery AS d WHERE d.about = p_user)
    OR EXISTS (SELECT FROM session AS s WHERE s.user_id = p_user)
    OR EXISTS (SELECT FROM conversation_turn AS t WHERE t.user_id = p_user)
    OR EXISTS (SELECT FROM passage AS p WHERE p.owner = p_user)
    OR EXISTS (SELECT FROM article_signal AS s WHERE s.user_id = p_user)
    OR EXISTS (SELECT FROM recall_card AS c WHERE c.user_id = p_user)
    OR EXISTS (SELECT FROM user_export AS e WHERE e.user_id = p_user)
    OR EXISTS (SELECT FROM user_export_part AS e WHERE e.user_id = p_user)
    OR EXISTS (SELECT FROM job AS j WHERE j.user_id = p_user)
    OR EXISTS (SELECT FROM job AS j WHERE j.billed_user = p_user)
    OR EXISTS (SELECT FROM model_call AS m WHERE m.user_id = p_user)
    OR EXISTS (SELECT FROM credit_grant AS g WHERE g.user_id = p_user)
    OR EXISTS (SELECT FROM ledger AS l WHERE l.user_id = p_user)
    OR EXISTS (SELECT FROM audit AS a WHERE a.user_id = p_user)
    OR EXISTS (SELECT FROM audit AS a WHERE a.actor_id = p_user::text AND a.actor_type = 'user')
$$;

-- Takes the small rest of a user away and, when nothing else is left, the account. Returns 1 while it is still there.
CREATE OR REPLACE FUNCTION erase_account(p_number bigint, p_user bigint) RETURNS bigint
LANGUAGE plpgsql
SET jit = off
AS $$
DECLARE
    v_balance balance;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('account', 0));
    PERFORM pg_advisory_xact_lock(hashtextextended('erasure', p_user));
    IF has_rows_of_user(p_user) THEN
        RETURN 1;
    END IF;
    DELETE FROM watchlist AS w WHERE w.user_id = p_user;
    DELETE FROM preferences AS p WHERE p.user_id = p_user;
    DELETE FROM brief AS b WHERE b.user_id = p_user;
    DELETE FROM shared_work_use AS u WHERE u.user_id = p_user;
    DELETE FROM rate_count AS r WHERE r.user_id = p_user;
    DELETE FROM user_position AS p WHERE p.user_id = p_user;
    DELETE FROM user_concurrency AS c WHERE c.user_id = p_user;
    DELETE FROM access_generation AS g WHERE g.user_id = p_user;
    DELETE FROM api_key AS k WHERE k.creator_type = 'user' AND k.creator_id = p_user::text;
    WITH moved AS (
        DELETE FROM user_spend AS s WHERE s.user_id = p_user RETURNING s.day, s.micro_dollars
    )
    INSERT INTO user_spend AS s (day, user_id, micro_dollars)
    SELECT m.day, p_number, m.micro_dollars FROM moved AS m
    ON CONFLICT (day, user_id) DO UPDATE SET micro_dollars = s.micro_dollars + excluded.micro_dollars;
    UPDATE erasure AS e
    SET had_credits = e.had_credits OR EXISTS (SELECT FROM account_owner AS o WHERE o.user_id = p_user),
        month = coalesce((SELECT c.month FROM plan_credit AS c WHERE c.user_id = p_user), e.month),
        month_granted = coalesce((SELECT c.granted FROM plan_credit AS c WHERE c.user_id = p_user), e.month_granted)
    WHERE e.number = p_number;
    DELETE FROM plan_credit AS c WHERE c.user_id = p_user;
    DELETE FROM user_plan AS p WHERE p.user_id = p_user;
    DELETE FROM user_bar AS b WHERE b.user_id = p_user;
    IF EXISTS (SELECT FROM account_owner AS o WHERE o.user_id = p_user) THEN
        PERFORM lock_balances(ARRAY[p_user]);
        v_balance := balance_of(p_user);
        DELETE FROM balance AS b WHERE b.user_id = p_user AND b.bucket = v_balance.bucket;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'a balance has moved to its next bucket' USING ERRCODE = 'serialization_failure';
        END IF;
        INSERT INTO account_owner (user_id) VALUES (p_number) ON CONFLICT DO NOTHING;
        UPDATE balance AS b
        SET granted = b.granted + v_balance.granted, held = b.held + v_balance.held, used = b.used + v_balance.used
        WHERE b.user_id = p_number;
        IF NOT FOUND THEN
            INSERT INTO balance (user_id, granted, held, used)
            VALUES (p_number, v_balance.granted, v_balance.held, v_balance.used);
        END IF;
        DELETE FROM account_owner AS o WHERE o.user_id = p_user;
    END IF;
    DELETE FROM account AS a WHERE a.id = p_user AND NOT has_rows_of_user(p_user);
    IF EXISTS (SELECT FROM account AS a WHERE a.id = p_user) THEN
        RETURN 1;
    END IF;
    UPDATE erasure AS e SET user_id = NULL, subject = NULL WHERE e.number = p_number;
    RETURN 0;
END
$$;
