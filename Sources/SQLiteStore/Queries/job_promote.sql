UPDATE job SET waiting = 0, revision = revision + 1 WHERE number = ?1
