-- Other limits for a kind; its slots are counted anew, since without a limit for the fleet nobody did.
UPDATE kind_limit
SET fleet = ?2, per_user = ?3,
    taken = (SELECT coalesce(sum(taken), 0) FROM user_concurrency WHERE kind = ?1)
WHERE kind = ?1
