UPDATE job SET following = ?2, shared_job_revision = ?3, sharedJob = ?4 WHERE number = ?1
