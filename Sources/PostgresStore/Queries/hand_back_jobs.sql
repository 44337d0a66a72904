SELECT hand_back_jobs FROM hand_back_jobs($1, $2, $3, $4)
