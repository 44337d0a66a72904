SELECT delete_finished FROM delete_finished($1, $2, $3, $4)
