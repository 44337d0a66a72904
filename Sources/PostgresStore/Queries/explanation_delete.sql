SELECT delete_explanations($1::bigint, $2::bigint)
