SELECT sequence, input_hash FROM step WHERE job = ?1 AND name = ?2 AND occurrence = ?3
