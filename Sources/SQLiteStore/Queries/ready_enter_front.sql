-- Back to where the lane has come to.
INSERT INTO ready (lane, rank, job, user, priority)
SELECT name, virtual_time, ?3, ?2, ?4 FROM lane WHERE name = ?1
