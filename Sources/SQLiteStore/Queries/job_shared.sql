SELECT shared_owner, shared_key, leader FROM job WHERE number = ?1
