-- What a retry by a person looks for.
UPDATE job SET shared_owner = ?2, shared_key = ?3 WHERE number = ?1
