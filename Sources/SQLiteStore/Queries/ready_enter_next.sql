-- Into the slot that the user has just taken.
INSERT INTO ready (lane, rank, job, user, priority)
SELECT lane, rank, ?3, user, ?4 FROM turn WHERE lane = ?1 AND user = ?2
