-- Plans of users, and the credits that come with each month.

-- Users with a choice by an operator, or a tier.
CREATE TABLE user_plan (
    user INTEGER PRIMARY KEY,
    -- The operator's choice.
    plan TEXT,
    -- The tier that the identity provider or the gateway named last.
    tier TEXT
) STRICT;

-- The plan credits of users who had any, as of their last accounting.
CREATE TABLE plan_credit (
    user INTEGER PRIMARY KEY,
    -- The last month that began: `2026-11`.
    month TEXT NOT NULL,
    -- The credits of this month, and the part of all plan credits that was used in it.
    granted INTEGER NOT NULL CHECK (granted >= 0),
    spent INTEGER NOT NULL CHECK (spent >= 0),
    -- The plan credits that were not used yet, held ones included.
    pool INTEGER NOT NULL CHECK (pool >= 0),
    -- `used` of the balance at the accounting.
    used INTEGER NOT NULL CHECK (used >= 0)
) STRICT;
