-- The day and the language of readers: an IANA time zone and a language tag, where a user has named them.

ALTER TABLE preferences ADD COLUMN time_zone text;
ALTER TABLE preferences ADD COLUMN language text;
