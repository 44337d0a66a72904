SELECT r.last_value, v.last_value FROM news_ready AS r CROSS JOIN news_visible AS v
