-- One for everybody and one for each ticker.
INSERT INTO story_group (story, ticker, day) SELECT ?1, value, ?2 FROM json_each(?3) WHERE true
ON CONFLICT (story, ticker) DO UPDATE SET is_shown = 1
