-- Plans of users, and the credits that come with each month. Only the service reads them.

-- Users with a choice by an operator, or a tier.
CREATE TABLE user_plan (
    user_id bigint PRIMARY KEY,
    -- The operator's choice.
    plan text,
    -- The tier that the identity provider or the gateway named last.
    tier text
);

-- The plan credits of users who had any, as of their last accounting.
CREATE TABLE plan_credit (
    user_id bigint PRIMARY KEY,
    -- The last month that began: `2026-11`.
    month text COLLATE "C" NOT NULL,
    -- The credits of this month, and the part of all plan credits that was used in it.
    granted bigint NOT NULL CHECK (granted >= 0),
    spent bigint NOT NULL CHECK (spent >= 0),
    -- The plan credits that were not used yet, held ones included.
    pool bigint NOT NULL CHECK (pool >= 0),
    -- `used` of the balance at the accounting.
    used bigint NOT NULL CHECK (used >= 0)
);
