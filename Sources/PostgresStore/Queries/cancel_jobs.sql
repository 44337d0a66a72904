SELECT place, is_there, has_ended FROM cancel_jobs($1, $2, $3)
