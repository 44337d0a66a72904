-- Open holds that no unfinished job stands for.
SELECT h.user, h.job, h.entry
FROM ledger AS h
LEFT JOIN ledger AS c ON c.hold = h.entry
LEFT JOIN job AS j ON j.id = h.job
WHERE h.kind = 'hold' AND c.entry IS NULL AND j.hold IS NOT h.entry
ORDER BY h.entry
