-- Changes budgets, all or none, when their versions are those that the caller knows; version 0 is a budget without a
-- row.
--
-- Returns the budgets after the change, and whether the caller's versions were current.
CREATE OR REPLACE FUNCTION exchange_budgets(p_names text[], p_versions bigint[], p_states text[])
RETURNS TABLE (name text, is_current boolean, version bigint, state text, store_time bigint)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    v_are_current boolean;
BEGIN
    PERFORM FROM budget AS b WHERE b.name = ANY (p_names) ORDER BY b.name FOR UPDATE;
    v_are_current := NOT EXISTS (
        SELECT
        FROM unnest(p_names, p_versions) AS a (name, version)
        LEFT JOIN budget AS b ON b.name = a.name
        WHERE coalesce(b.version, 0) <> a.version
    );
    IF v_are_current THEN
        UPDATE budget AS b SET version = b.version + 1, state = a.state
        FROM unnest(p_names, p_states) AS a (name, state)
        WHERE b.name = a.name AND a.state IS NOT NULL;
        INSERT INTO budget (name, version, state)
        SELECT a.name, 1, a.state
        FROM unnest(p_names, p_versions, p_states) AS a (name, version, state)
        WHERE a.version = 0 AND a.state IS NOT NULL;
    END IF;
    RETURN QUERY
    SELECT a.name, v_are_current, coalesce(b.version, 0), b.state, store_now()
    FROM unnest(p_names) AS a (name)
    LEFT JOIN budget AS b ON b.name = a.name;
END
$$;
