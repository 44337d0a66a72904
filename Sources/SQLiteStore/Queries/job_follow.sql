UPDATE job SET following = ?2, leader_revision = ?3, leader = ?4 WHERE number = ?1
