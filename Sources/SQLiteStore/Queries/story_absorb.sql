UPDATE story SET merged_into = ?1 WHERE key IN (SELECT value FROM json_each(?2)) AND number <> ?1
