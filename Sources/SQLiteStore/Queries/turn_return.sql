-- A slot that nobody will use: the user's next job stands one place further ahead.
UPDATE turn SET rank = rank - 1 WHERE queue = ?1 AND user = ?2
