-- Balances. A balance changes with nearly every job of its user, so its rows move through version buckets; see the
-- table `balance` in `Migrations/v0001_credits.sql`.

-- Returns a user's balance, or NULL when there is none yet.
--
-- The row of the last bucket is current; see the table `balance` for the reason.
CREATE OR REPLACE FUNCTION balance_of(p_user bigint) RETURNS balance
LANGUAGE sql
AS $$ SELECT b FROM balance AS b WHERE b.user_id = p_user ORDER BY b.bucket DESC LIMIT 1 $$;

-- Locks the balances of users, in the order of their ids.
CREATE OR REPLACE FUNCTION lock_balances(p_users bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    PERFORM FROM (SELECT DISTINCT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1) AS a
    CROSS JOIN LATERAL (
        SELECT FROM balance AS b WHERE b.user_id = a.user_id ORDER BY b.bucket DESC LIMIT 1 FOR UPDATE
    ) AS b;
END
$$;

-- Locks the balances of the owners of jobs with a cost.
CREATE OR REPLACE FUNCTION lock_balances_of(p_jobs bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
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

-- Creates the balances of new users with their starting credits.
CREATE OR REPLACE FUNCTION begin_balances(p_users bigint[], p_granted bigint[], p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO account_owner (user_id) SELECT a.user_id FROM unnest(p_users) AS a (user_id) ORDER BY 1;
    INSERT INTO ledger (user_id, kind, amount, note, source, created_at)
    SELECT a.user_id, 'grant', a.granted, 'starting credits', 'start', p_now
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
    INSERT INTO balance (user_id, granted, held, used)
    SELECT a.user_id, a.granted, 0, 0
    FROM unnest(p_users, p_granted) AS a (user_id, granted)
    ORDER BY 1;
END
$$;

-- Numbers the holds of a submit anew, after the entries of `begin_balances`.
CREATE OR REPLACE FUNCTION holds_after_starting_credits(p_holds bigint[]) RETURNS bigint[]
LANGUAGE sql
AS $$
    SELECT array_agg(CASE WHEN a.hold IS NOT NULL THEN nextval('ledger_entry_seq') END ORDER BY a.place)
    FROM unnest(p_holds) WITH ORDINALITY AS a (hold, place)
$$;

-- Adds to the held and used credits of balances. A user may occur several times; missing elements count as zero.
CREATE OR REPLACE FUNCTION change_balances(p_users bigint[], p_held bigint[], p_used bigint[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan
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
        SET held = b.held + l.held, used = b.used + l.used, changes = b.changes + 1, bucket = (b.changes + 1) / 16
        FROM (
            SELECT a.*, n.bucket
            FROM asked AS a
            CROSS JOIN LATERAL (
                SELECT n.bucket FROM balance AS n WHERE n.user_id = a.user_id ORDER BY n.bucket DESC LIMIT 1
            ) AS n
        ) AS l
        WHERE b.user_id = l.user_id AND b.bucket = l.bucket
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM changed) INTO v_asked, v_changed;
    IF v_changed < v_asked THEN
        RAISE EXCEPTION 'a balance has moved to its next bucket' USING ERRCODE = 'serialization_failure';
    END IF;
END
$$;
