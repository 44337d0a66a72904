-- Back to where the lane has come to.
INSERT INTO ready (queue, rank, job, user, priority)
SELECT name, virtual_time, ?3, ?2, ?4 FROM queue WHERE name = ?1
