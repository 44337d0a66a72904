-- Deletions of single things at the wish of their user.

-- name: job_delete
-- Deletes the finished job ?1 of user ?2, whose id as text is ?3, with its lines of batches, the passages of a report
-- and their vectors, and an archive that it made. A booking by batch ends with its line, at ?4: it keeps its estimate
-- unless no provider has seen it.
INSERT INTO ledger_job (job, kind)
SELECT id, kind FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL AND cost > 0
ON CONFLICT DO NOTHING;
UPDATE model_call
SET state = 'cancelled', ended_at = ?4, least_output_tokens = NULL, least_cost_micro_dollars = NULL,
    cost_micro_dollars = CASE WHEN l.batch IS NULL THEN 0 ELSE cost_micro_dollars END
FROM model_batch_line AS l
WHERE l.call = model_call.id AND model_call.state = 'running' AND l.job = ?1
    AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
DELETE FROM model_batch_line
WHERE job = ?1 AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
DELETE FROM passage_vector
WHERE digest IN (SELECT digest FROM passage WHERE kind = 'report' AND source = ?3 AND owner = ?2)
    AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.digest = passage_vector.digest AND p.source <> ?3)
    AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
DELETE FROM passage
WHERE kind = 'report' AND source = ?3 AND owner = ?2
    AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
DELETE FROM user_export
WHERE job = ?1 AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
DELETE FROM user_export_part
WHERE job = ?1 AND EXISTS (SELECT 1 FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL);
SELECT CASE WHEN completed_at IS NULL THEN 'unfinished' ELSE 'deleted' END FROM job WHERE id = ?1 AND user = ?2;
DELETE FROM job WHERE id = ?1 AND user = ?2 AND completed_at IS NOT NULL

-- name: conversation_delete
-- Deletes the conversation ?2 of user ?1 unless a job still answers in it.
SELECT
    EXISTS (
        SELECT 1
        FROM job
        WHERE user = ?1 AND concurrency_key IN ('chat/' || ?2, 'education/' || ?2) AND completed_at IS NULL
    ),
    (SELECT count(*) FROM conversation_turn WHERE user_id = ?1 AND conversation = ?2);
DELETE FROM conversation_turn
WHERE user_id = ?1 AND conversation = ?2
    AND NOT EXISTS (
        SELECT 1
        FROM job
        WHERE user = ?1 AND concurrency_key IN ('chat/' || ?2, 'education/' || ?2) AND completed_at IS NULL
    )

-- name: conversations_delete
-- Deletes turns of conversations whose last turn is from before ?1.
DELETE FROM conversation_turn
WHERE number IN (
    SELECT t.number
    FROM conversation_turn AS t
    WHERE t.answered_at < ?1
        AND NOT EXISTS (
            SELECT 1
            FROM conversation_turn AS n
            WHERE n.user_id = t.user_id AND n.conversation = t.conversation AND n.answered_at >= ?1
        )
    ORDER BY t.answered_at
    LIMIT ?2
)
RETURNING number
