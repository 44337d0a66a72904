-- The user whose turn it is to take a slot of the fleet.
SELECT user FROM user_concurrency WHERE kind = ?1 AND turn IS NOT NULL ORDER BY turn LIMIT 1
