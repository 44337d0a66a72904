INSERT INTO ledger (user, kind, amount, job, hold, note, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
