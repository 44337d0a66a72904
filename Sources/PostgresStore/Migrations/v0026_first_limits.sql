-- The first limits of a kind come with a job that was taken in. A submit that is refused, or answered with an earlier
-- job, leaves none behind. Whether it is refused is known only after its slots are locked, and these need a row: so the
-- rows are made first, and those that no job kept are taken away in the same transaction, before anybody sees them.

-- Makes the rows of kinds that have none; which these are.
CREATE FUNCTION make_first_limits(p_ids uuid[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[])
RETURNS text[]
LANGUAGE sql
AS $$
    WITH made AS (
        INSERT INTO kind_limit (kind, fleet, per_user)
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_ids, p_kinds, p_fleet_limits, p_user_limits) AS a (id, kind, fleet, per_user)
        WHERE coalesce(a.fleet, a.per_user) IS NOT NULL AND NOT EXISTS (SELECT FROM job AS j WHERE j.id = a.id)
        ORDER BY a.kind
        ON CONFLICT (kind) DO NOTHING
        RETURNING kind
    )
    SELECT array_agg(made.kind) FROM made
$$;

-- Lets these rows say what the first job of the kind says that was taken in, or removes them.
CREATE FUNCTION keep_first_limits(
    p_made text[], p_kinds text[], p_fleet_limits bigint[], p_user_limits bigint[], p_outcomes text[]
) RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM kind_limit AS k
    WHERE k.kind = ANY (p_made) AND NOT EXISTS (
        SELECT
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) AS a (kind, fleet, per_user, outcome)
        WHERE a.kind = k.kind AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
    );
    UPDATE kind_limit AS k SET fleet = f.fleet, per_user = f.per_user
    FROM (
        SELECT DISTINCT ON (a.kind) a.kind, a.fleet, a.per_user
        FROM unnest(p_kinds, p_fleet_limits, p_user_limits, p_outcomes) WITH ORDINALITY
            AS a (kind, fleet, per_user, outcome, place)
        WHERE a.kind = ANY (p_made) AND coalesce(a.fleet, a.per_user) IS NOT NULL AND a.outcome = 'accepted'
        ORDER BY a.kind, a.place
    ) AS f
    WHERE k.kind = f.kind;
$$;
