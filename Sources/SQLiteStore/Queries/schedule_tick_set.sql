INSERT INTO schedule_tick (schedule, moment)
VALUES (?1, ?2)
ON CONFLICT (schedule) DO UPDATE SET moment = excluded.moment
