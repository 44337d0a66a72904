INSERT INTO schedule_tick (schedule, timestamp)
VALUES (?1, ?2)
ON CONFLICT (schedule) DO UPDATE SET timestamp = excluded.timestamp
