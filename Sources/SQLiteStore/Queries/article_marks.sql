SELECT id, fingerprint, fingerprint_words, duplicate_of FROM article WHERE fetched_at >= ?1 ORDER BY fetched_at, published_at, id
