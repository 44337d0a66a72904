INSERT INTO ledger (user, kind, amount, job, hold, created_at)
SELECT user, ?2, cost, id, hold, ?3 FROM job WHERE following = ?1 AND cost > 0 ORDER BY number
