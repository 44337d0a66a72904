-- Into the slot that the user has just taken.
INSERT INTO ready (queue, rank, job, user, priority)
SELECT queue, rank, ?3, user, ?4 FROM turn WHERE queue = ?1 AND user = ?2
