-- Returns the store's clock in milliseconds since 1970. Other functions take a time instead when a test sets one.
CREATE OR REPLACE FUNCTION store_now() RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$ SELECT floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint $$;
