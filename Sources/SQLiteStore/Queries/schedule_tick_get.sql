SELECT timestamp FROM schedule_tick WHERE schedule = ?1
