SELECT fleet, per_user, taken FROM kind_limit WHERE kind = ?1
