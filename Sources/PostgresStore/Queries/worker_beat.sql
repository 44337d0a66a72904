UPDATE worker SET beats = beats + 1 WHERE id = $1 RETURNING beats
