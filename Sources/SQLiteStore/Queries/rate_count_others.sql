SELECT coalesce(sum(count), 0) FROM rate_count WHERE minute = ? AND user = ? AND bucket = ? AND broker <> ?
