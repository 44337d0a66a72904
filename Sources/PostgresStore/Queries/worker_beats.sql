SELECT id, beats FROM worker ORDER BY number
