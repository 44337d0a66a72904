UPDATE job SET deaths = 0 WHERE number = ?1
