-- How many workers have died; jobs that lost a worker remember which death was the first of their row.
CREATE TABLE fleet_deaths (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    count INTEGER NOT NULL
) STRICT;

INSERT INTO fleet_deaths (one, count) VALUES (1, 0);

-- Meant while `deaths` is not 0.
ALTER TABLE job ADD COLUMN first_death INTEGER;

UPDATE job SET first_death = 0 WHERE deaths > 0;
