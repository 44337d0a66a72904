INSERT INTO rate_count AS r (minute, user, bucket, broker, count)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (minute, user, bucket, broker) DO UPDATE SET count = max(r.count, excluded.count)
