-- Rows that change with each job of a user stay quick to find while somebody holds a transaction open.
--
-- Until such a transaction ends, no version of a row that it may see, or that came later, can be removed, and a look
-- through an index meets them all, the oldest first. So a row moves on in its index every 16 changes, to its next era,
-- and looks begin at the last one: they meet no more than 16 versions, however many there were before.
--
-- An era is `changes / 16`. It is no generated column, since each statement reads the expression of such a one anew.
--
-- Who changes a row that moves on at that very moment fails as `serialization_failure`, and is run again.

-- Users who have a balance. Nothing here ever changes, so that none of them gets a second one.
CREATE TABLE account_owner (user_id bigint PRIMARY KEY);

INSERT INTO account_owner (user_id) SELECT user_id FROM balance;

ALTER TABLE balance
    ADD COLUMN changes bigint NOT NULL DEFAULT 0,
    ADD COLUMN era bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT balance_pkey,
    ADD PRIMARY KEY (user_id, era);

ALTER TABLE turn
    ADD COLUMN changes bigint NOT NULL DEFAULT 0,
    ADD COLUMN era bigint NOT NULL DEFAULT 0,
    DROP CONSTRAINT turn_pkey,
    ADD PRIMARY KEY (user_id, queue, era);

-- A user's balance; NULL when there is none yet.
CREATE FUNCTION balance_of(p_user bigint) RETURNS balance
LANGUAGE sql
AS $$ SELECT b FROM balance AS b WHERE b.user_id = p_user ORDER BY b.era DESC LIMIT 1 $$;

-- Locks the balances that these users have, in the order in which everybody does.
CREATE FUNCTION lock_balances(p_users bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1) AS a
    CROSS JOIN LATERAL (
        SELECT FROM balance AS b WHERE b.user_id = a.user_id ORDER BY b.era DESC LIMIT 1 FOR UPDATE
    ) AS b;
END
$$;

CREATE OR REPLACE FUNCTION lock_balances_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    PERFORM lock_balances(
        ARRAY(
            SELECT j.user_id
            FROM unnest(p_jobs) AS a (job)
            CROSS JOIN LATERAL (SELECT * FROM job WHERE number = a.job OFFSET 0) AS j
            WHERE j.cost > 0
        ));
END
$$;

-- Gives users their first balances, of so many credits each.
CREATE FUNCTION begin_balances(p_users bigint[], p_granted bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO account_owner (user_id) SELECT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1;
    INSERT INTO ledger (user_id, kind, amount, note, created_at)
    SELECT a.user_id, 'grant', a.granted, 'starting credits', p_now
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
    INSERT INTO balance (user_id, granted, held, used)
    SELECT a.user_id, a.granted, 0, 0
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
END
$$;

-- Adds to what is held and used of balances. A user may stand there several times; what is missing in an array is zero.
CREATE FUNCTION change_balances(p_users bigint[], p_held bigint[], p_used bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_asked bigint;
    v_changed bigint;
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT a.user_id, coalesce(sum(a.held), 0)::bigint AS held, coalesce(sum(a.used), 0)::bigint AS used
        FROM unnest(p_users, p_held, p_used) AS a (user_id, held, used)
        GROUP BY 1
        ORDER BY 1
    ), changed AS (
        UPDATE balance AS b
        SET held = b.held + l.held, used = b.used + l.used, changes = b.changes + 1, era = (b.changes + 1) / 16
        FROM (
            SELECT a.*, n.era
            FROM asked AS a
            CROSS JOIN LATERAL (
                SELECT n.era FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.era DESC LIMIT 1
            ) AS n
        ) AS l
        WHERE b.user_id = l.user_id AND b.era = l.era
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM changed) INTO v_asked, v_changed;
    IF v_changed < v_asked THEN
        RAISE EXCEPTION 'a balance has moved on' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

-- Adds credits, or takes free ones away; no row when there are not as many. The same operation again answers with the
-- balance as it is.
CREATE OR REPLACE FUNCTION grant_credits(
    p_now bigint, p_operation uuid, p_user bigint, p_amount bigint, p_note text, p_starting bigint
) RETURNS TABLE (granted bigint, held bigint, used bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_now bigint := coalesce(p_now, store_now());
    v_balance balance;
BEGIN
    PERFORM lock_balances(ARRAY[p_user]);
    v_balance := balance_of(p_user);
    IF EXISTS (SELECT FROM ledger AS l WHERE l.operation = p_operation) THEN
        RETURN QUERY SELECT v_balance.granted, v_balance.held, v_balance.used;
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        v_balance.granted := p_starting;
        v_balance.held := 0;
        v_balance.used := 0;
    END IF;
    IF v_balance.granted::numeric - v_balance.held - v_balance.used + p_amount < 0
        OR v_balance.granted::numeric + p_amount > 9223372036854775807
    THEN
        RETURN;
    END IF;
    IF v_balance.user_id IS NULL THEN
        PERFORM begin_balances(ARRAY[p_user], ARRAY[p_starting], v_now);
        v_balance.era := 0;
    END IF;
    INSERT INTO ledger (user_id, kind, amount, note, operation, created_at)
    VALUES (p_user, 'grant', p_amount, p_note, p_operation, v_now);
    UPDATE balance AS b
    SET granted = b.granted + p_amount, changes = b.changes + 1, era = (b.changes + 1) / 16
    WHERE b.user_id = p_user AND b.era = v_balance.era;
    RETURN QUERY SELECT v_balance.granted + p_amount, v_balance.held, v_balance.used;
END
$$;

-- As many places in a lane's order for each user as they stand here, after their last one and not before where the lane
-- is.
CREATE FUNCTION take_turns(p_users bigint[], p_queues queue[], p_interactive bigint, p_background bigint) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_asked bigint;
    v_taken bigint;
BEGIN
    WITH asked AS MATERIALIZED (
        SELECT
            a.*, n.era,
            CASE a.queue WHEN 'interactive' THEN p_interactive ELSE p_background END + a.places - 1 AS first_rank
        FROM (
            SELECT a.user_id, a.queue, count(*) AS places
            FROM unnest(p_users, p_queues) AS a (user_id, queue)
            GROUP BY 1, 2
            ORDER BY 1, 2
        ) AS a
        LEFT JOIN LATERAL (
            SELECT n.era FROM turn AS n WHERE n.user_id = a.user_id AND n.queue = a.queue ORDER BY n.era DESC LIMIT 1
        ) AS n ON true
    ), taken AS (
        UPDATE turn AS t
        SET rank = greatest(t.rank + a.places, a.first_rank), changes = t.changes + 1, era = (t.changes + 1) / 16
        FROM asked AS a
        WHERE t.user_id = a.user_id AND t.queue = a.queue AND t.era = a.era
        RETURNING 1
    ), begun AS (
        INSERT INTO turn (user_id, queue, rank)
        SELECT a.user_id, a.queue, a.first_rank FROM asked AS a WHERE a.era IS NULL
    )
    SELECT (SELECT count(*) FROM asked AS a WHERE a.era IS NOT NULL), (SELECT count(*) FROM taken)
    INTO v_asked, v_taken;
    IF v_taken < v_asked THEN
        RAISE EXCEPTION 'a turn has moved on' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION enter_ready(p_job job, p_is_returning boolean) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off
AS $$
DECLARE
    v_rank bigint := queue_time(p_job.queue);
BEGIN
    IF NOT p_is_returning THEN
        PERFORM take_turns(ARRAY[p_job.user_id], ARRAY[p_job.queue], v_rank, v_rank);
        SELECT t.rank INTO v_rank
        FROM turn AS t
        WHERE t.user_id = p_job.user_id AND t.queue = p_job.queue
        ORDER BY t.era DESC
        LIMIT 1;
    END IF;
    INSERT INTO ready (queue, rank, job, user_id, priority, deadline, unordered)
    VALUES (p_job.queue, v_rank, p_job.number, p_job.user_id, p_job.priority, p_job.deadline, true);
END
$$;

-- A bitmap is made of all versions before the first is looked at.
DO $$
DECLARE
    v_function regprocedure;
BEGIN
    FOR v_function IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = current_schema::regnamespace AND proconfig @> ARRAY['enable_seqscan=off']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan = off', v_function);
    END LOOP;
END
$$;
