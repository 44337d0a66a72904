-- A user's next slot: after their last one, and not before what the lane has come to.
INSERT INTO turn (queue, user, rank)
VALUES (?1, ?2, (SELECT virtual_time FROM queue WHERE name = ?1))
ON CONFLICT (queue, user) DO UPDATE SET rank = max(rank + 1, excluded.rank)
