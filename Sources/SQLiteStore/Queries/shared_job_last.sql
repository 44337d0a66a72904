-- An earlier leader of a key that can be started again.
SELECT number FROM job WHERE id = ?1 AND user = ?2 AND unique_key = ?3 AND status IN ('failed', 'cancelled')
