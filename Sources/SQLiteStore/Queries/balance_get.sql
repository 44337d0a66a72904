SELECT granted, held, used FROM balance WHERE user = ?1
