SELECT shared_owner, shared_key, sharedJob FROM job WHERE number = ?1
