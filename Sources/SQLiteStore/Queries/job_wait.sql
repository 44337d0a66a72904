UPDATE job SET waiting = 1 WHERE number = ?1
