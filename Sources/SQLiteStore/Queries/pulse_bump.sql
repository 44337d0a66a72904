UPDATE pulse SET ready = ready + ?1, visible = visible + ?2 RETURNING ready, visible
