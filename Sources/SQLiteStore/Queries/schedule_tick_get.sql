SELECT moment FROM schedule_tick WHERE schedule = ?1
