SELECT boot, "offset", set_at FROM clock
