-- Sessions of users, their refresh tokens, and what has ended access.

-- name: session_start
-- Stores session ?2 with its first refresh token ?8, and deletes some that were over by ?10.
DELETE FROM refresh_token WHERE session IN (SELECT id FROM session WHERE ends_at < ?10 ORDER BY ends_at LIMIT 10);
DELETE FROM session WHERE id IN (SELECT id FROM session WHERE ends_at < ?10 ORDER BY ends_at LIMIT 10);
INSERT INTO session (id, user, device, tier, role, created_at, last_used_at, ends_at)
VALUES (?2, ?3, ?4, ?5, ?6, ?1, ?1, ?7)
ON CONFLICT DO NOTHING;
INSERT INTO refresh_token (digest, session, seed) VALUES (?8, ?2, ?9) ON CONFLICT DO NOTHING;
SELECT coalesce((SELECT generation FROM access_generation WHERE user = ?3), 0)

-- name: refresh_token_seed
SELECT seed FROM refresh_token WHERE digest = ?1

-- name: session_refresh
-- Uses the refresh token ?2 at ?1; its successor is ?3 with the seed ?4. A token that was first used by ?5, or whose
-- successor was used, ends the session. ?6 and ?7 are the session's lifetimes without a refresh and in all.
UPDATE session SET ended_at = ?1
WHERE ended_at IS NULL AND ends_at > ?1 AND id = (
    SELECT t.session
    FROM refresh_token AS t
    LEFT JOIN refresh_token AS n ON n.digest = t.successor
    WHERE t.digest = ?2 AND t.used_at IS NOT NULL AND (t.used_at <= ?5 OR n.used_at IS NOT NULL)
);
INSERT INTO refresh_token (digest, session, seed)
SELECT ?3, t.session, ?4
FROM refresh_token AS t
JOIN session AS s ON s.id = t.session
WHERE t.digest = ?2 AND t.used_at IS NULL AND s.ended_at IS NULL AND s.ends_at > ?1
ON CONFLICT DO NOTHING;
UPDATE refresh_token SET used_at = ?1, successor = ?3
WHERE digest = ?2 AND used_at IS NULL AND EXISTS (SELECT 1 FROM refresh_token WHERE digest = ?3);
UPDATE session SET last_used_at = ?1, ends_at = min(?1 + ?6, created_at + ?7)
WHERE ended_at IS NULL AND id = (SELECT session FROM refresh_token WHERE digest = ?2 AND used_at = ?1);
SELECT s.id, s.user, s.device, s.tier, s.role, s.created_at, s.last_used_at, s.ends_at, a.subject,
    coalesce(g.generation, 0),
    CASE
        WHEN s.ended_at = ?1 THEN 'reused'
        WHEN s.ended_at IS NULL AND s.ends_at > ?1 THEN 'refreshed'
        ELSE 'over'
    END
FROM refresh_token AS t
JOIN session AS s ON s.id = t.session
JOIN account AS a ON a.id = s.user
LEFT JOIN access_generation AS g ON g.user = s.user
WHERE t.digest = ?2

-- name: session_end
UPDATE session SET ended_at = ?1 WHERE id = ?2 AND user = ?3 AND ended_at IS NULL AND ends_at > ?1;
SELECT id FROM session WHERE id = ?2 AND user = ?3 AND ended_at = ?1

-- name: session_of_token
-- The session of the refresh token ?1 when it can be used at ?2.
SELECT s.id, s.user, s.device, s.tier, s.role, s.created_at, s.last_used_at, s.ends_at
FROM refresh_token AS t
JOIN session AS s ON s.id = t.session
WHERE t.digest = ?1 AND t.used_at IS NULL AND s.ended_at IS NULL AND s.ends_at > ?2

-- name: sessions_end
-- Ends all sessions of user ?2 at ?1 and raises the generation, once for this time.
UPDATE session SET ended_at = ?1 WHERE user = ?2 AND ended_at IS NULL AND ends_at > ?1;
INSERT INTO access_generation AS g (user, generation, changed_at) VALUES (?2, 1, ?1)
ON CONFLICT (user) DO UPDATE SET generation = g.generation + 1, changed_at = ?1 WHERE g.changed_at < ?1;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?3 WHERE ?3 IS NOT NULL;
SELECT (SELECT count(*) FROM session WHERE user = ?2 AND ended_at = ?1), generation
FROM access_generation
WHERE user = ?2

-- name: session_list
-- The open sessions of user ?1 at ?2 that are older than (?3, ?4).
SELECT id, user, device, tier, role, created_at, last_used_at, ends_at
FROM session
WHERE user = ?1 AND ended_at IS NULL AND ends_at > ?2 AND (created_at, id) < (?3, ?4)
ORDER BY created_at DESC, id DESC
LIMIT ?5

-- name: access_endings
-- What has ended access: sessions since ?1; users, with their generation, and erasures, by the HMAC of the subject and
-- with the times of the request and of the completion, since ?2; bars and their ends since ?2.
SELECT id, 0, NULL, NULL, NULL FROM session WHERE ended_at >= ?1
UNION ALL
SELECT a.subject, g.generation, NULL, NULL, NULL
FROM access_generation AS g
JOIN account AS a ON a.id = g.user
WHERE g.changed_at >= ?2
UNION ALL
SELECT digest, -1, requested_at, completed_at, user
FROM erasure
WHERE digest IS NOT NULL AND (requested_at >= ?2 OR completed_at IS NULL OR completed_at >= ?2)
UNION ALL
SELECT a.subject, CASE b.barred WHEN 1 THEN -2 ELSE -3 END, NULL, NULL, NULL
FROM user_bar AS b
JOIN account AS a ON a.id = b.user
WHERE b.changed_at >= ?2

-- name: user_bar_set
-- Bars (?3 is 1) user ?2 at ?1, or lets the user in again; nothing for a user who is not there or is so already.
INSERT INTO user_bar (user, barred, changed_at)
SELECT id, ?3, ?1
FROM account AS a
WHERE id = ?2 AND ?3 <> coalesce((SELECT b.barred FROM user_bar AS b WHERE b.user = a.id), 0)
ON CONFLICT (user) DO UPDATE SET barred = excluded.barred, changed_at = excluded.changed_at;
INSERT INTO audit_writer (at, entry) SELECT ?1, ?4 WHERE changes() = 1

-- name: user_bar_get
SELECT 1 FROM user_bar WHERE user = ?1 AND barred = 1

-- name: generation_get
SELECT g.generation FROM account AS a JOIN access_generation AS g ON g.user = a.id WHERE a.subject = ?1
