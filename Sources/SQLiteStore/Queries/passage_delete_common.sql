DELETE FROM passage WHERE kind = ? AND owner IS NULL
