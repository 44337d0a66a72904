INSERT INTO article_ticker (ticker, article) SELECT value, ?1 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING
