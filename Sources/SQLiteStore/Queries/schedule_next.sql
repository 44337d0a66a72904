SELECT min(run_at) FROM schedule
