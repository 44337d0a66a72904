SELECT name, occurrence, input_hash, output, sequence FROM step WHERE job = ?1 ORDER BY sequence
