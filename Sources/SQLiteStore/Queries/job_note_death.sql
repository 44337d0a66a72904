-- One more worker has died of it, or with it. The first of a row of deaths is known by the fleet's count.
UPDATE job
SET first_death = CASE deaths WHEN 0 THEN ?2 ELSE first_death END, deaths = deaths + 1
WHERE number = ?1
RETURNING deaths, first_death
