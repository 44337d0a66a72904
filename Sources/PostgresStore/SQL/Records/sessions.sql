-- Sessions of users, their refresh tokens, and what has ended access.

-- name: session_start
-- Stores session $2 with its first refresh token $8, and deletes some that were over by $10.
WITH over AS (
    DELETE FROM session
    WHERE id IN (SELECT id FROM session WHERE ends_at < $10 ORDER BY ends_at LIMIT 10 FOR UPDATE SKIP LOCKED)
    RETURNING id
),
gone AS (
    DELETE FROM refresh_token WHERE session IN (SELECT id FROM over)
),
started AS (
    INSERT INTO session (id, user_id, device, tier, role, created_at, last_used_at, ends_at)
    VALUES ($2, $3, $4, $5, $6, $1, $1, $7)
    ON CONFLICT DO NOTHING
),
token AS (
    INSERT INTO refresh_token (digest, session, seed) VALUES ($8, $2, $9) ON CONFLICT DO NOTHING
)
SELECT coalesce((SELECT generation FROM access_generation WHERE user_id = $3::bigint), 0)

-- name: refresh_token_seed
SELECT seed FROM refresh_token WHERE digest = $1

-- name: session_refresh
SELECT id, user_id, device, tier, role, created_at, last_used_at, ends_at, subject, generation, state
FROM refresh_session($1, $2, $3, $4, $5, $6, $7)

-- name: session_end
UPDATE session SET ended_at = coalesce(ended_at, $1)
WHERE id = $2 AND user_id = $3 AND (ended_at IS NULL AND ends_at > $1 OR ended_at = $1)
RETURNING id

-- name: session_of_token
-- The session of the refresh token $1 when it can be used at $2.
SELECT s.id, s.user_id, s.device, s.tier, s.role, s.created_at, s.last_used_at, s.ends_at
FROM refresh_token AS t
JOIN session AS s ON s.id = t.session
WHERE t.digest = $1 AND t.used_at IS NULL AND s.ended_at IS NULL AND s.ends_at > $2

-- name: sessions_end
WITH audited AS (
    SELECT write_audit($1, $3) WHERE $3::text IS NOT NULL
)
SELECT e.ended, e.generation FROM end_sessions($1, $2) AS e CROSS JOIN (SELECT count(*) FROM audited) AS a

-- name: session_list
-- The open sessions of user $1 at $2 that are older than ($3, $4).
SELECT id, user_id, device, tier, role, created_at, last_used_at, ends_at
FROM session
WHERE user_id = $1 AND ended_at IS NULL AND ends_at > $2 AND (created_at, id) < ($3, $4)
ORDER BY created_at DESC, id DESC
LIMIT $5

-- name: access_endings
-- What has ended access: sessions since $1; users, with their generation, and erasures, by the HMAC of the subject and
-- with the times of the request and of the completion, since $2; bars and their ends since $2.
SELECT id, 0::bigint, NULL::bigint, NULL::bigint, NULL::bigint FROM session WHERE ended_at >= $1
UNION ALL
SELECT a.subject, g.generation, NULL, NULL, NULL
FROM access_generation AS g
JOIN account AS a ON a.id = g.user_id
WHERE g.changed_at >= $2
UNION ALL
SELECT digest, -1, requested_at, completed_at, user_id
FROM erasure
WHERE digest IS NOT NULL AND (requested_at >= $2 OR completed_at IS NULL OR completed_at >= $2)
UNION ALL
SELECT a.subject, CASE WHEN b.barred THEN -2 ELSE -3 END, NULL, NULL, NULL
FROM user_bar AS b
JOIN account AS a ON a.id = b.user_id
WHERE b.changed_at >= $2

-- name: user_bar_set
-- Bars ($3 is 1) user $2 at $1, or lets the user in again; nothing for a user who is not there or is so already.
WITH changed AS (
    INSERT INTO user_bar (user_id, barred, changed_at)
    SELECT a.id, $3::bigint = 1, coalesce($1::bigint, store_now())
    FROM account AS a
    WHERE a.id = $2::bigint
        AND ($3::bigint = 1) <> coalesce((SELECT b.barred FROM user_bar AS b WHERE b.user_id = a.id), false)
    ON CONFLICT (user_id) DO UPDATE SET barred = excluded.barred, changed_at = excluded.changed_at
    RETURNING user_id
)
SELECT write_audit($1, $4) FROM changed

-- name: user_bar_get
SELECT 1::bigint FROM user_bar WHERE user_id = $1 AND barred

-- name: generation_get
SELECT g.generation FROM account AS a JOIN access_generation AS g ON g.user_id = a.id WHERE a.subject = $1
