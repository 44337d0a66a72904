-- Jobs whose hold is not where their status says it must be.
SELECT j.user, j.id, j.status, h.kind, h.amount, c.kind
FROM job AS j
LEFT JOIN ledger AS h ON h.entry = j.hold
LEFT JOIN ledger AS c ON c.hold = j.hold
WHERE j.cost > 0
    AND (
        h.kind IS NOT 'hold' OR h.job IS NOT j.id OR h.amount IS NOT j.cost OR h.user IS NOT j.user
        OR c.kind IS NOT CASE j.status
            WHEN 'completed' THEN 'settle'
            WHEN 'failed' THEN 'release'
            WHEN 'cancelled' THEN 'release'
        END
        OR (c.kind IS NOT NULL AND (c.amount IS NOT h.amount OR c.user IS NOT h.user))
    )
ORDER BY j.number
