SELECT replace_common_passages($1::text, $2::text[], $3::bigint)
