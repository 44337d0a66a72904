-- Applied migrations, each with the digest of its text.
CREATE TABLE migration (
    version bigint PRIMARY KEY,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at bigint NOT NULL
);

-- The functions of `Functions/` that are in force. `interface` is the digest of a function's text up to its body.
CREATE TABLE stored_function (
    name text PRIMARY KEY,
    interface text NOT NULL,
    digest text NOT NULL
);
