-- What operators read of large tables, by indexes also before a database has statistics: a plan for unknown ranges would
-- read the tables.

-- The newest entries of the ledger between two, of a stretch of time, of one job, sort and user, if any. Grants have indexes
-- of their own, since they are few.
CREATE OR REPLACE FUNCTION ledger_numbers(
    p_after bigint, p_before bigint, p_from bigint, p_to bigint, p_job uuid, p_limit bigint, p_kind ledger_kind,
    p_user bigint
) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    IF p_kind = 'grant' AND p_user IS NULL THEN
        RETURN QUERY
        SELECT e.entry FROM ledger AS e
        WHERE e.kind = 'grant' AND e.entry > p_after AND e.entry < p_before
            AND e.created_at >= p_from AND e.created_at < p_to AND (p_job IS NULL OR e.job = p_job)
        ORDER BY e.entry DESC
        LIMIT p_limit;
    ELSIF p_kind = 'grant' THEN
        RETURN QUERY
        SELECT e.entry FROM ledger AS e
        WHERE e.user_id = p_user AND e.kind = 'grant' AND e.entry > p_after AND e.entry < p_before
            AND e.created_at >= p_from AND e.created_at < p_to AND (p_job IS NULL OR e.job = p_job)
        ORDER BY e.entry DESC
        LIMIT p_limit;
    ELSIF p_user IS NULL THEN
        RETURN QUERY
        SELECT e.entry FROM ledger AS e
        WHERE (p_kind IS NULL OR e.kind = p_kind) AND e.entry > p_after AND e.entry < p_before
            AND e.created_at >= p_from AND e.created_at < p_to AND (p_job IS NULL OR e.job = p_job)
        ORDER BY e.entry DESC
        LIMIT p_limit;
    ELSE
        RETURN QUERY
        SELECT e.entry FROM ledger AS e
        WHERE e.user_id = p_user AND (p_kind IS NULL OR e.kind = p_kind) AND e.entry > p_after AND e.entry < p_before
            AND e.created_at >= p_from AND e.created_at < p_to AND (p_job IS NULL OR e.job = p_job)
        ORDER BY e.entry DESC
        LIMIT p_limit;
    END IF;
END
$$;

-- The jobs that ended since a time and are not archived yet, by the ten seconds of their end, status and error.
CREATE OR REPLACE FUNCTION ended_since(p_time bigint)
RETURNS TABLE (seconds bigint, status text, code text, jobs bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    RETURN QUERY
    SELECT j.completed_at / 10000, j.status::text, coalesce(j.error_code, ''), count(*)
    FROM ONLY job AS j
    WHERE j.completed_at >= p_time
    GROUP BY 1, 2, 3;
END
$$;
