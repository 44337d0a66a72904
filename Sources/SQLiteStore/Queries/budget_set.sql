INSERT INTO budget (name, state) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET state = excluded.state
