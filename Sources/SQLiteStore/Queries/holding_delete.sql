DELETE FROM holding WHERE user = ?1
