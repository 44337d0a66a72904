SELECT j.revision + coalesce((SELECT l.revision - j.leader_revision FROM job AS l WHERE l.number = j.following), 0)
FROM job AS j
WHERE j.id = ?1
