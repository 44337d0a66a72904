CREATE TABLE access_generation (
    user INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL CHECK (generation > 0),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX access_generation_by_change ON access_generation (changed_at);

CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    -- Of the key's text, which nobody can read here.
    digest TEXT NOT NULL UNIQUE,
    seed TEXT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    -- With spaces between them.
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    creator_type TEXT NOT NULL,
    creator_id TEXT NOT NULL,
    creator_name TEXT NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- The idempotency key of the request, and the digest of its body.
    request_key TEXT,
    fingerprint TEXT,
    UNIQUE (creator_type, creator_id, request_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_by_age ON api_key (created_at, id);

CREATE INDEX api_key_live ON api_key (digest) WHERE revoked_at IS NULL;

CREATE TRIGGER article_indexed AFTER INSERT ON article BEGIN
    INSERT INTO article_index (rowid, title, description, text)
    VALUES (new.number, new.title, coalesce(new.description, ''), '');
END;

CREATE TRIGGER article_unindexed BEFORE DELETE ON article BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, description, text FROM article_words WHERE number = old.number;
END;

CREATE TABLE article (
    number INTEGER PRIMARY KEY,
    -- Derived from the address.
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    source TEXT NOT NULL,
    author TEXT,
    image TEXT,
    language TEXT,
    category TEXT,
    published_at INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    -- The day whose stories the article may join.
    day TEXT,
    fingerprint INTEGER NOT NULL,
    fingerprint_words INTEGER NOT NULL,
    duplicate_of TEXT
) STRICT;

CREATE INDEX article_by_arrival ON article (fetched_at);

CREATE INDEX article_by_category ON article (category, published_at, id) WHERE duplicate_of IS NULL;

CREATE INDEX article_by_day ON article (day) WHERE day IS NOT NULL AND duplicate_of IS NULL;

CREATE INDEX article_by_time ON article (published_at, id) WHERE duplicate_of IS NULL;

CREATE INDEX article_by_url ON article (url);

CREATE VIRTUAL TABLE article_index USING fts5 (
    title, description, text, content = 'article_words', content_rowid = 'number', tokenize = 'porter unicode61'
);

CREATE VIEW article_record AS
SELECT
    a.number, a.id, a.url, a.title, a.description, t.text, a.source, a.author, a.image, a.language, a.category,
    (SELECT group_concat(ticker, ' ') FROM article_ticker WHERE article = a.number) AS tickers,
    a.published_at, a.fetched_at, a.day, a.fingerprint, a.fingerprint_words, a.duplicate_of
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

CREATE TABLE article_signal (
    user INTEGER NOT NULL,
    url TEXT NOT NULL,
    signal TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    PRIMARY KEY (user, url)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_signal_by_age ON article_signal (made_at);

CREATE TRIGGER article_text_indexed AFTER INSERT ON article_text BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, description, '' FROM article_words WHERE number = new.article;
    INSERT INTO article_index (rowid, title, description, text)
    SELECT number, title, description, text FROM article_words WHERE number = new.article;
END;

CREATE TRIGGER article_text_reindexed AFTER UPDATE OF text ON article_text BEGIN
    INSERT INTO article_index (article_index, rowid, title, description, text)
    SELECT 'delete', number, title, coalesce(description, ''), old.text FROM article WHERE number = new.article;
    INSERT INTO article_index (rowid, title, description, text)
    SELECT number, title, coalesce(description, ''), new.text FROM article WHERE number = new.article;
END;

CREATE TABLE article_text (
    article INTEGER PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE article_ticker (
    ticker TEXT NOT NULL,
    article INTEGER NOT NULL REFERENCES article (number) ON DELETE CASCADE,
    PRIMARY KEY (ticker, article)
) STRICT, WITHOUT ROWID;

CREATE INDEX article_ticker_by_article ON article_ticker (article);

CREATE TABLE article_vector (
    article INTEGER PRIMARY KEY REFERENCES article (number) ON DELETE CASCADE,
    model TEXT NOT NULL,
    components TEXT NOT NULL
) STRICT;

CREATE VIEW article_words AS
SELECT a.number, a.title, coalesce(a.description, '') AS description, coalesce(t.text, '') AS text
FROM article AS a
LEFT JOIN article_text AS t ON t.article = a.number;

CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
WHEN old.at >= (SELECT before FROM audit_retention)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TRIGGER audit_is_never_updated BEFORE UPDATE ON audit
WHEN NOT EXISTS (
        SELECT 1
        FROM erasure AS e
        WHERE e.user = old.user AND e.number = new.user AND new.actor_id = old.actor_id
            OR new.user IS old.user AND new.target IS old.target AND old.actor_type = 'user'
                AND old.actor_id = CAST(e.user AS TEXT) AND new.actor_id = CAST(e.number AS TEXT)
    )
    OR new.id <> old.id OR new.at <> old.at OR new.action <> old.action OR new.actor_type <> old.actor_type
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'key', 'cli')),
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    -- The user that the entry is about.
    user INTEGER,
    details TEXT NOT NULL,
    request_id TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_about ON audit (user) WHERE user IS NOT NULL;

CREATE INDEX audit_by_time ON audit (at, id);

CREATE INDEX audit_of_actor ON audit (actor_id);

CREATE TABLE audit_retention (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    before INTEGER NOT NULL
) STRICT;

CREATE VIEW audit_writer AS SELECT 0 AS at, '' AS entry WHERE false;

CREATE TRIGGER audit_is_written INSTEAD OF INSERT ON audit_writer
BEGIN
    INSERT INTO audit (id, at, actor_type, actor_id, actor_name, action, target, user, details, request_id)
    VALUES (
        new.entry ->> 'id', new.at, new.entry ->> 'actor_type', new.entry ->> 'actor_id', new.entry ->> 'actor_name',
        new.entry ->> 'action', new.entry ->> 'target', new.entry ->> 'user', new.entry ->> 'details',
        new.entry ->> 'request_id')
    ON CONFLICT (id) DO NOTHING;
END;

CREATE TABLE balance (
    user INTEGER PRIMARY KEY,
    granted INTEGER NOT NULL,
    held INTEGER NOT NULL CHECK (held >= 0),
    used INTEGER NOT NULL CHECK (used >= 0),
    remaining INTEGER GENERATED ALWAYS AS (granted - held - used) VIRTUAL,
    CHECK (remaining >= 0)
) STRICT;

CREATE TABLE brief (
    user INTEGER PRIMARY KEY,
    items TEXT NOT NULL,
    generated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE budget (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bundle (
    hash TEXT NOT NULL UNIQUE,
    archive TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE bundle_number (
    number INTEGER PRIMARY KEY,
    bundle TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    boot TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    set_at INTEGER NOT NULL
) STRICT;

CREATE TABLE commit_counter (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ready INTEGER NOT NULL,
    visible INTEGER NOT NULL
) STRICT;

CREATE TABLE conversation_turn (
    number INTEGER PRIMARY KEY,
    -- The job that answered.
    job TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    subject TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    -- JSON.
    citations TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER NOT NULL
) STRICT;

CREATE INDEX conversation_turn_by_age ON conversation_turn (answered_at);

CREATE INDEX conversation_turn_by_conversation ON conversation_turn (user_id, conversation, number);

CREATE TABLE credit_grant (
    -- Of the external id, which is unique in the whole service.
    digest TEXT PRIMARY KEY,
    external_id TEXT,
    id TEXT NOT NULL,
    user INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    applied INTEGER NOT NULL,
    source TEXT NOT NULL,
    note TEXT,
    created_at INTEGER NOT NULL,
    -- The balance after it.
    granted INTEGER NOT NULL,
    held INTEGER NOT NULL,
    used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX credit_grant_of_user ON credit_grant (user);

CREATE TABLE current_bundle (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL,
    adopted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE document (
    key TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    kept_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX document_kept_until ON document (kept_until);

CREATE TABLE erasure (
    number INTEGER PRIMARY KEY,
    -- 128 random bits: the one right to ask about it.
    id TEXT NOT NULL UNIQUE,
    -- Until the rows of the user are gone.
    user INTEGER UNIQUE,
    subject TEXT,
    -- The HMAC of the subject, for some months.
    digest TEXT,
    requested_at INTEGER NOT NULL,
    complete_by INTEGER NOT NULL,
    completed_at INTEGER,
    -- Whether the starting credits had been granted.
    had_credits INTEGER NOT NULL DEFAULT 0 CHECK (had_credits IN (0, 1)),
    -- The plan's grant of the last month that had begun.
    month TEXT,
    month_granted INTEGER,
    CHECK ((user IS NULL) = (subject IS NULL)),
    CHECK (completed_at IS NULL OR user IS NULL)
) STRICT;

CREATE INDEX erasure_of_digest ON erasure (digest, requested_at) WHERE digest IS NOT NULL;

CREATE INDEX erasure_running ON erasure (requested_at) WHERE completed_at IS NULL;

CREATE TABLE erasure_key (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key TEXT NOT NULL
) STRICT;

CREATE TABLE finished_job (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    input ANY NOT NULL,
    result ANY NOT NULL
) STRICT;

CREATE TABLE fleet_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    observed_at INTEGER NOT NULL,
    elapsed INTEGER NOT NULL,
    resumed_at INTEGER NOT NULL,
    turn_at INTEGER NOT NULL
) STRICT;

CREATE TABLE fleet_deaths (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    count INTEGER NOT NULL
) STRICT;

CREATE TABLE history_pass (
    completed_at INTEGER NOT NULL,
    job INTEGER NOT NULL
) STRICT;

CREATE TABLE holding (
    user INTEGER NOT NULL REFERENCES preferences (user) ON DELETE CASCADE,
    ticker TEXT NOT NULL,
    -- The order in which the user gave them, from 0.
    place INTEGER NOT NULL,
    label TEXT,
    notes TEXT,
    PRIMARY KEY (user, ticker)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_completed_has_result BEFORE UPDATE OF status ON job
WHEN NEW.status = 'completed' AND NOT EXISTS (SELECT 1 FROM job_result WHERE job = NEW.number)
BEGIN
    SELECT RAISE(ABORT, 'a completed job has a result');
END;

CREATE TRIGGER job_end_stores_webhooks AFTER UPDATE OF status ON job
WHEN NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL AND NEW.user <> -1
    AND EXISTS (SELECT 1 FROM webhook_endpoint WHERE user IN (NEW.user, -2))
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE user = NEW.user)
BEGIN
    INSERT INTO webhook_delivery (
        event, endpoint, user, type, job, kind, about, error_code, credits, job_created_at, at, status, next_at,
        changed_at)
    SELECT
        'msg_' || j.digits || '_' || NEW.revision, e.number, e.user, 'job.' || NEW.status,
        substr(j.digits, 1, 8) || '-' || substr(j.digits, 9, 4) || '-' || substr(j.digits, 13, 4) || '-'
            || substr(j.digits, 17, 4) || '-' || substr(j.digits, 21),
        NEW.kind, NEW.user, NEW.error_code, CASE NEW.status WHEN 'completed' THEN NEW.cost ELSE 0 END,
        NEW.created_at, NEW.completed_at, CASE e.enabled WHEN 1 THEN 'pending' ELSE 'held' END,
        CASE e.enabled WHEN 1 THEN NEW.completed_at END, NEW.completed_at
    FROM (SELECT lower(hex(NEW.id)) AS digits) AS j
    CROSS JOIN webhook_endpoint AS e
    WHERE e.user IN (NEW.user, -2)
        AND e.events & CASE NEW.status WHEN 'completed' THEN 1 WHEN 'failed' THEN 2 ELSE 4 END <> 0;
END;

CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    user INTEGER NOT NULL,
    kind TEXT NOT NULL,
    bundle TEXT NOT NULL,
    queue TEXT NOT NULL CHECK (queue IN ('interactive', 'background')),
    priority INTEGER NOT NULL,
    cost INTEGER NOT NULL CHECK (cost >= 0),
    max_attempts INTEGER NOT NULL CHECK (max_attempts >= 1),
    concurrency_key TEXT,
    unique_key TEXT,
    idempotency_key TEXT,
    idempotency_fingerprint TEXT,
    request_id TEXT,
    created_at INTEGER NOT NULL,
    -- How long the job may take, in milliseconds; a retry by a person gets the same time again.
    time_limit INTEGER NOT NULL,
    deadline INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
    -- A pending job is in one of five places, by the first that applies: it subscribes to a shared job
    -- (`subscribed_to`), it is blocked by another job of its concurrency key (`blocked`), it is in `scheduled`
    -- (`run_at`), it is in `waiting` for a permit of its kind (`waiting`), or it is in `ready`.
    blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
    run_at INTEGER,
    -- True when the job needs a permit of its kind, which it holds while it is in `ready` or runs.
    limited INTEGER NOT NULL DEFAULT 0 CHECK (limited IN (0, 1)),
    waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting IN (0, 1)),
    -- The number of the shared job to which this one subscribes, while it is pending.
    subscribed_to INTEGER,
    -- The shared job's revision at that time. A subscriber's revision grows with that of its shared job.
    shared_job_revision INTEGER,
    -- A retry finds shared work again by the owner of shared jobs, the key of the work, and the last shared job.
    shared_owner INTEGER,
    shared_key TEXT,
    shared_job BLOB,
    attempt INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    -- Grows at each claim and at no other time.
    epoch INTEGER NOT NULL DEFAULT 0,
    -- The epoch whose worker reported a failure, so that the report can be repeated.
    failed_epoch INTEGER,
    -- True when the last run was released, so that the next one continues its attempt.
    interrupted INTEGER NOT NULL DEFAULT 0 CHECK (interrupted IN (0, 1)),
    -- Workers that died in a row while they ran this job, without a new step in between.
    deaths INTEGER NOT NULL DEFAULT 0,
    -- The count of the fleet's deaths when `deaths` last became 1.
    first_death INTEGER,
    -- The number of the worker that runs the job.
    worker INTEGER,
    progress INTEGER NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
    current_step TEXT,
    error_code TEXT,
    error_message TEXT,
    error_user_message TEXT,
    -- A failed job keeps its whole journal; a retry by a person drops the steps from this sequence on.
    drop_steps_from INTEGER,
    -- The ledger entry that holds this job's credits, or held them last.
    hold INTEGER,
    revision INTEGER NOT NULL DEFAULT 1,
    started_at INTEGER,
    completed_at INTEGER, waits_for TEXT, within INTEGER, billed_user INTEGER, bundle_number INTEGER, room BLOB, history TEXT, last_worker INTEGER, cancelled_by TEXT, subject TEXT,
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (completed_at IS NOT NULL)),
    CHECK ((status = 'processing') = (worker IS NOT NULL)),
    CHECK (status = 'pending' OR (blocked = 0 AND run_at IS NULL)),
    CHECK (waiting = 0 OR (limited = 1 AND status = 'pending' AND blocked = 0 AND run_at IS NULL)),
    CHECK (
        subscribed_to IS NULL
        OR (status = 'pending' AND blocked = 0 AND waiting = 0 AND limited = 0 AND run_at IS NULL)
    ),
    CHECK ((shared_job_revision IS NULL) = (subscribed_to IS NULL)),
    CHECK (status <> 'failed' OR error_code IS NOT NULL),
    CHECK (status <> 'completed' OR (progress = 100 AND error_code IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL)),
    CHECK ((cost = 0) = (hold IS NULL))
) STRICT;

CREATE INDEX job_billed ON job (billed_user) WHERE billed_user IS NOT NULL;

CREATE INDEX job_concurrency_key ON job (user, concurrency_key, number)
WHERE concurrency_key IS NOT NULL AND completed_at IS NULL;

CREATE INDEX job_deadline ON job (deadline) WHERE completed_at IS NULL;

CREATE INDEX job_failed ON job (number) WHERE status = 'failed';

CREATE INDEX job_finished ON job (completed_at) WHERE completed_at IS NOT NULL;

CREATE UNIQUE INDEX job_idempotency ON job (user, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE INDEX job_of_user ON job (user, id);

CREATE INDEX job_standing ON job (number)
WHERE deadline >= 4503599627370496 AND run_at IS NOT 4503599627370496 AND completed_at IS NULL;

CREATE INDEX job_subscriber ON job (subscribed_to) WHERE subscribed_to IS NOT NULL;

CREATE UNIQUE INDEX job_unique_key ON job (user, unique_key) WHERE unique_key IS NOT NULL AND completed_at IS NULL;

CREATE TABLE job_input (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    input TEXT NOT NULL
, packed BLOB, request_id TEXT) STRICT;

CREATE VIEW job_record AS
SELECT
    j.id, j.user, j.kind, coalesce(i.packed, i.input, f.input) AS input,
    coalesce((SELECT b.bundle FROM bundle_number AS b WHERE b.number = j.bundle_number), j.bundle) AS bundle,
    coalesce(s.status, j.status) AS status, j.queue, j.priority,
    coalesce(s.progress, j.progress) AS progress,
    CASE WHEN s.number IS NULL THEN j.current_step ELSE s.current_step END AS current_step,
    coalesce(s.attempt, j.attempt) AS attempt, j.max_attempts, j.cost,
    CASE WHEN s.number IS NULL THEN j.error_code ELSE s.error_code END AS error_code,
    CASE WHEN s.number IS NULL THEN j.error_message ELSE s.error_message END AS error_message,
    CASE WHEN s.number IS NULL THEN j.error_user_message ELSE s.error_user_message END AS error_user_message,
    j.revision + coalesce(s.revision - j.shared_job_revision, 0) AS revision, j.created_at,
    CASE WHEN s.number IS NULL THEN j.started_at ELSE max(s.started_at, j.created_at) END AS started_at,
    j.completed_at, j.deadline, j.run_at,
    CASE
        WHEN j.blocked THEN coalesce(
            (
                SELECT p.id
                FROM job AS p
                WHERE p.user = j.user AND p.concurrency_key = j.concurrency_key AND p.completed_at IS NULL
                    AND p.blocked = 1 AND p.number < j.number
                ORDER BY p.number DESC
                LIMIT 1
            ),
            (
                SELECT h.id
                FROM job AS h
                WHERE h.user = j.user AND h.concurrency_key = j.concurrency_key AND h.completed_at IS NULL
                    AND h.blocked = 0
            )
        )
    END AS held_up_by,
    j.waiting,
    s.number IS NOT NULL AS is_subscriber, j.waits_for, j.within,
    j.subject,
    j.number
FROM job AS j
LEFT JOIN job_input AS i ON i.job = j.number
LEFT JOIN finished_job AS f ON f.job = j.number
LEFT JOIN job AS s ON s.number = j.subscribed_to;

CREATE TABLE job_result (
    job INTEGER PRIMARY KEY REFERENCES job (number) ON DELETE CASCADE,
    result TEXT NOT NULL
, packed BLOB) STRICT;

CREATE TABLE kind_limit (
    kind TEXT PRIMARY KEY,
    fleet INTEGER CHECK (fleet >= 1),
    per_user INTEGER CHECK (per_user >= 1),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
    last_position INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE lease (
    worker INTEGER NOT NULL,
    job INTEGER NOT NULL, claimed_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (worker, job)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasure AS e WHERE e.user = old.user AND e.number = new.user)
    OR new.entry <> old.entry OR new.kind <> old.kind OR new.amount <> old.amount OR new.job IS NOT old.job
    OR new.hold IS NOT old.hold OR new.created_at <> old.created_at OR new.source IS NOT old.source
    OR new.month IS NOT old.month OR (new.note IS NOT NULL AND new.note IS NOT old.note)
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TABLE ledger (
    entry INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'release')),
    amount INTEGER NOT NULL,
    job BLOB,
    -- The entry that this one closes.
    hold INTEGER,
    note TEXT,
    created_at INTEGER NOT NULL, source TEXT, month TEXT,
    CHECK ((kind IN ('settle', 'release')) = (hold IS NOT NULL)),
    CHECK (kind = 'grant' OR (job IS NOT NULL AND amount > 0))
) STRICT;

CREATE UNIQUE INDEX ledger_closed_hold ON ledger (hold) WHERE hold IS NOT NULL;

CREATE INDEX ledger_grants ON ledger (entry) WHERE kind = 'grant';

CREATE INDEX ledger_grants_of_user ON ledger (user, entry) WHERE kind = 'grant';

CREATE INDEX ledger_of_user ON ledger (user, entry);

CREATE TABLE ledger_job (
    job BLOB PRIMARY KEY,
    kind TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT
;

CREATE TABLE model_batch (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('sealed', 'sending', 'out', 'unclear', 'refused', 'ended', 'collected')
    ),
    -- `NULL` for a batch that is collected.
    due_at INTEGER,
    provider_id TEXT,
    first_line_at INTEGER NOT NULL,
    sealed_at INTEGER NOT NULL,
    collected_at INTEGER,
    fence INTEGER NOT NULL DEFAULT 0,
    leased_until INTEGER NOT NULL DEFAULT 0,
    value TEXT NOT NULL,
    CHECK ((state = 'collected') = (due_at IS NULL)),
    CHECK ((state = 'collected') = (collected_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX model_batch_collected ON model_batch (collected_at) WHERE collected_at IS NOT NULL;

CREATE INDEX model_batch_due ON model_batch (due_at) WHERE due_at IS NOT NULL;

CREATE UNIQUE INDEX model_batch_of_provider ON model_batch (provider, provider_id) WHERE provider_id IS NOT NULL;

CREATE INDEX model_batch_sealed ON model_batch (sealed_at);

CREATE TABLE model_batch_line (
    id TEXT PRIMARY KEY,
    job BLOB NOT NULL CHECK (length(job) = 16),
    step TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'journalled', 'failed')),
    -- The number of the try, and the id by which the provider tells its result.
    try INTEGER NOT NULL,
    custom_id TEXT NOT NULL UNIQUE,
    batch TEXT REFERENCES model_batch (id),
    -- Whether it has a batch of its own.
    alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1)),
    hurried INTEGER NOT NULL CHECK (hurried IN (0, 1)),
    -- The time at which the job makes the call at the full price.
    last_chance INTEGER NOT NULL,
    added_at INTEGER NOT NULL,
    -- The booking.
    call TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    -- JSON, and compressed as in other tables.
    request TEXT NOT NULL,
    request_packed BLOB,
    answer TEXT,
    answer_packed BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX model_batch_line_by_age ON model_batch_line (added_at);

CREATE INDEX model_batch_line_gathering ON model_batch_line (provider, model, alone DESC, added_at)
WHERE state = 'open' AND batch IS NULL;

CREATE INDEX model_batch_line_of_batch ON model_batch_line (batch) WHERE batch IS NOT NULL;

CREATE INDEX model_batch_line_of_job ON model_batch_line (job);

CREATE TABLE model_call (
    id TEXT NOT NULL UNIQUE,
    job BLOB NOT NULL,
    user INTEGER NOT NULL,
    kind TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_micro_dollars INTEGER NOT NULL,
    created_at INTEGER NOT NULL
, state TEXT NOT NULL DEFAULT 'ok'
CHECK (state IN ('running', 'ok', 'failed', 'cancelled', 'stalled', 'cut', 'hedge_lost')), certainty INTEGER NOT NULL DEFAULT 2 CHECK (certainty IN (0, 1, 2)), epoch INTEGER NOT NULL DEFAULT 0, free INTEGER NOT NULL DEFAULT 0 CHECK (free IN (0, 1)), ended_at INTEGER, least_output_tokens INTEGER, least_cost_micro_dollars INTEGER, hedge_of TEXT, service_tier TEXT NOT NULL DEFAULT 'standard'
CHECK (service_tier IN ('standard', 'batch')), cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0, list_micro_dollars INTEGER, write_micro_dollars INTEGER NOT NULL DEFAULT 0, prompt TEXT, interactive INTEGER NOT NULL DEFAULT 0 CHECK (interactive IN (0, 1)), waited_ms INTEGER, first_byte_ms INTEGER, first_content_ms INTEGER, longest_gap_ms INTEGER, cache_marks TEXT, heard_at INTEGER, simulated INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1)), error_code TEXT, error_message TEXT, provider_request_id TEXT) STRICT;

CREATE INDEX model_call_created ON model_call (created_at);

CREATE INDEX model_call_hedge ON model_call (created_at) WHERE hedge_of IS NOT NULL;

CREATE INDEX model_call_of_job ON model_call (job);

CREATE INDEX model_call_of_user ON model_call (user, created_at, cost_micro_dollars);

CREATE INDEX model_call_running ON model_call (created_at) WHERE state = 'running';

CREATE TABLE news_source (
    source TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT,
    asked_at INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    problem TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE operation (
    id TEXT PRIMARY KEY NOT NULL,
    action TEXT NOT NULL,
    filter TEXT NOT NULL,
    user INTEGER,
    note TEXT,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    request_id TEXT,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'collecting',
    matched INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    -- The process that works on it, and until when.
    worker TEXT,
    leased_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX operation_running ON operation (started_at) WHERE status = 'running';

CREATE TABLE operation_job (
    operation TEXT NOT NULL,
    place INTEGER NOT NULL,
    job TEXT NOT NULL,
    outcome TEXT,
    code TEXT,
    PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX operation_job_left ON operation_job (operation, place) WHERE outcome IS NULL;

CREATE VIEW operator_job AS
SELECT
    r.id, r.user, r.kind, 'null' AS input, r.bundle, r.status, r.queue, r.priority, r.progress, r.current_step,
    r.attempt, r.max_attempts, r.cost, r.error_code, r.error_message, r.error_user_message, r.revision, r.created_at,
    r.started_at, r.completed_at, r.deadline, r.run_at, r.held_up_by, r.waiting, r.is_subscriber, r.waits_for, r.within,
    r.subject,
    r.number, coalesce(a.subject, CASE j.user WHEN -1 THEN 'system' ELSE cast(j.user AS TEXT) END) AS owner, w.id AS worker,
    j.epoch AS epoch, coalesce((SELECT i.request_id FROM job_input AS i WHERE i.job = j.number), j.request_id) AS request_id,
    coalesce((SELECT sum(m.cost_micro_dollars) FROM model_call AS m WHERE m.job = r.id), 0) AS cost_micro_dollars,
    c.provider, c.model, coalesce(c.heard_at, c.created_at) AS heard_at, j.cancelled_by
FROM job_record AS r
JOIN job AS j ON j.number = r.number
LEFT JOIN account AS a ON a.id = j.user
LEFT JOIN worker AS w ON w.number = j.worker
LEFT JOIN model_call AS c ON c.id = (
    SELECT m.id
    FROM model_call AS m
    WHERE m.job = r.id AND m.state = 'running'
    ORDER BY m.created_at DESC, m.id DESC
    LIMIT 1
);

CREATE TRIGGER passage_deleted AFTER DELETE ON passage BEGIN
    INSERT INTO passage_index (passage_index, rowid, terms) VALUES ('delete', old.number, old.terms);
END;

CREATE TRIGGER passage_inserted AFTER INSERT ON passage BEGIN
    INSERT INTO passage_index (rowid, terms) VALUES (new.number, new.terms);
END;

CREATE TRIGGER passage_updated AFTER UPDATE OF terms ON passage BEGIN
    INSERT INTO passage_index (passage_index, rowid, terms) VALUES ('delete', old.number, old.terms);
    INSERT INTO passage_index (rowid, terms) VALUES (new.number, new.terms);
END;

CREATE TABLE passage (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    part INTEGER NOT NULL,
    owner INTEGER,
    title TEXT NOT NULL,
    url TEXT,
    text TEXT NOT NULL,
    -- The stems of its words, separated by spaces.
    terms TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    -- The SHA-256 of title, line feed and text, in hexadecimal digits.
    digest TEXT NOT NULL,
    UNIQUE (kind, source, part)
) STRICT;

CREATE INDEX passage_by_digest ON passage (digest, owner);

CREATE INDEX passage_by_owner ON passage (owner, (written_at = 0), written_at);

CREATE INDEX passage_of_story_by_age ON passage (written_at) WHERE kind = 'story';

CREATE VIRTUAL TABLE passage_index USING fts5 (
    terms, content = 'passage', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TABLE passage_vector (
    digest TEXT NOT NULL,
    model TEXT NOT NULL,
    components TEXT NOT NULL,
    PRIMARY KEY (digest, model)
) STRICT;

CREATE TABLE pause (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT,
    lane TEXT,
    note TEXT,
    by_name TEXT NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    -- The number of the last job that was looked at; NULL when the jobs from before the pause are parked.
    seen INTEGER DEFAULT 0,
    -- It has ended, and some of its jobs are still parked.
    is_ending INTEGER NOT NULL DEFAULT 0, is_over INTEGER NOT NULL DEFAULT 0, resumed INTEGER NOT NULL DEFAULT 0,
    CHECK ((kind IS NULL) <> (lane IS NULL))
) STRICT;

CREATE TABLE plan_credit (
    user INTEGER PRIMARY KEY,
    -- The last month that began: `2026-11`.
    month TEXT NOT NULL,
    -- The credits of this month, and the part of all plan credits that was used in it.
    granted INTEGER NOT NULL CHECK (granted >= 0),
    spent INTEGER NOT NULL CHECK (spent >= 0),
    -- The plan credits that were not used yet, held ones included.
    pool INTEGER NOT NULL CHECK (pool >= 0),
    -- `used` of the balance at the accounting.
    used INTEGER NOT NULL CHECK (used >= 0)
) STRICT;

CREATE TABLE preferences (
    user INTEGER PRIMARY KEY,
    focus_profile TEXT NOT NULL CHECK (focus_profile IN ('focused', 'balanced', 'broad')),
    updated_at INTEGER NOT NULL
, time_zone TEXT, language TEXT) STRICT;

CREATE TABLE queue (
    name TEXT PRIMARY KEY,
    virtual_time INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rate_count (
    minute INTEGER NOT NULL,
    user INTEGER NOT NULL,
    bucket TEXT NOT NULL,
    broker TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (minute, user, bucket, broker)
) STRICT, WITHOUT ROWID;

CREATE TABLE ready (
    queue TEXT NOT NULL,
    position INTEGER NOT NULL,
    job INTEGER NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    PRIMARY KEY (queue, position, job)
) STRICT, WITHOUT ROWID;

CREATE INDEX ready_of_user ON ready (queue, user, priority DESC, job);

CREATE INDEX ready_position_of_user ON ready (queue, user, position);

CREATE TABLE recall_card (
    user INTEGER NOT NULL,
    id TEXT NOT NULL,
    concept TEXT NOT NULL,
    source TEXT NOT NULL,
    content TEXT NOT NULL,
    schedule TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX recall_card_by_age ON recall_card (user, created_at);

CREATE INDEX recall_card_due ON recall_card (user, due_at, id);

CREATE TABLE refresh_token (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    seed TEXT NOT NULL,
    used_at INTEGER,
    successor TEXT,
    CHECK ((used_at IS NULL) = (successor IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX refresh_token_of_session ON refresh_token (session);

CREATE TABLE schedule_run (
    schedule TEXT PRIMARY KEY,
    scheduled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scheduled (
    run_at INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (run_at, job)
) STRICT, WITHOUT ROWID;

CREATE TABLE schema_compatibility (
    oldest_program INTEGER NOT NULL
);

CREATE TABLE service_spend (
    day INTEGER PRIMARY KEY,
    micro_dollars INTEGER NOT NULL,
    free_micro_dollars INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    user INTEGER NOT NULL,
    device TEXT,
    tier TEXT,
    role TEXT,
    created_at INTEGER NOT NULL,
    -- The time of the sign-in or of the last refresh.
    last_used_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    -- The time of a logout or of a token that came twice; `ends_at` stays as it was.
    ended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_end ON session (ends_at);

CREATE INDEX session_ended ON session (ended_at) WHERE ended_at IS NOT NULL;

CREATE INDEX session_of_user ON session (user, created_at, id);

CREATE TABLE shared_work_use (
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    work TEXT NOT NULL,
    PRIMARY KEY (day, user, work)
) STRICT, WITHOUT ROWID;

CREATE TABLE step (
    sequence INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES job (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    occurrence INTEGER NOT NULL,
    input_hash TEXT NOT NULL,
    output TEXT NOT NULL, packed BLOB, epoch INTEGER, started_at INTEGER, ended_at INTEGER,
    UNIQUE (job, name, occurrence)
) STRICT;

CREATE TABLE story (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    day TEXT NOT NULL,
    title TEXT NOT NULL,
    -- 0 `Very Low` to 3 `High`.
    impact INTEGER NOT NULL CHECK (impact BETWEEN 0 AND 3),
    confidence TEXT NOT NULL CHECK (confidence IN ('Low', 'Medium', 'High')),
    -- Symbols, and whether the story is about them, as JSON.
    tickers TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    merged_into INTEGER REFERENCES story (number) ON DELETE CASCADE
, rated_impact INTEGER CHECK (rated_impact BETWEEN 0 AND 3), rated_articles INTEGER CHECK (rated_articles > 0)) STRICT;

CREATE INDEX story_by_day ON story (day);

CREATE INDEX story_by_merger ON story (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE story_explanation (
    story TEXT NOT NULL,
    holdings TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    provenance TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (story, holdings, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX story_explanation_age ON story_explanation (created_at);

CREATE TABLE story_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    story INTEGER NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    ticker TEXT NOT NULL DEFAULT '',
    day TEXT NOT NULL,
    is_shown INTEGER NOT NULL DEFAULT 1 CHECK (is_shown IN (0, 1)),
    UNIQUE (story, ticker)
) STRICT;

CREATE INDEX story_group_shown ON story_group (ticker, day) WHERE is_shown = 1;

CREATE TABLE story_member (
    article TEXT PRIMARY KEY,
    story INTEGER NOT NULL REFERENCES story (number) ON DELETE CASCADE,
    url TEXT NOT NULL,
    -- In ten-thousandths.
    similarity INTEGER NOT NULL CHECK (similarity BETWEEN 0 AND 10000),
    added_at INTEGER NOT NULL,
    -- The order of arrival within the story.
    place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX story_member_by_story ON story_member (story, place);

CREATE VIEW story_record AS
SELECT
    s.number, s.key, s.day, s.title, coalesce(s.rated_impact, s.impact) AS impact, s.confidence, s.tickers,
    (
        SELECT json_group_array(json_array(m.article, m.url, m.similarity, m.added_at))
        FROM (SELECT * FROM story_member WHERE story = s.number ORDER BY place) AS m
    ) AS members,
    (
        SELECT json_group_array(l.key)
        FROM (SELECT key FROM story WHERE merged_into = s.number ORDER BY created_at, key) AS l
    ) AS absorbed,
    s.created_at, s.updated_at, s.merged_into, s.rated_articles
FROM story AS s;

CREATE TABLE user_bar (
    user INTEGER PRIMARY KEY,
    barred INTEGER NOT NULL CHECK (barred IN (0, 1)),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_bar_by_change ON user_bar (changed_at);

CREATE TABLE user_concurrency (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    taken INTEGER NOT NULL CHECK (taken >= 0),
    waiting INTEGER NOT NULL CHECK (waiting >= 0),
    position INTEGER,
    PRIMARY KEY (kind, user)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX user_concurrency_position ON user_concurrency (kind, position) WHERE position IS NOT NULL;

CREATE TABLE user_export (
    job BLOB PRIMARY KEY CHECK (length(job) = 16),
    user INTEGER NOT NULL,
    -- The epoch of the run that made it: the parts of that epoch are its own.
    epoch INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    parts INTEGER NOT NULL
) STRICT;

CREATE INDEX user_export_by_age ON user_export (made_at);

CREATE INDEX user_export_of_user ON user_export (user, made_at);

CREATE TABLE user_export_part (
    number INTEGER PRIMARY KEY,
    job BLOB NOT NULL CHECK (length(job) = 16),
    epoch INTEGER NOT NULL,
    part INTEGER NOT NULL,
    user INTEGER NOT NULL,
    written_at INTEGER NOT NULL,
    -- The bytes of the text.
    length INTEGER NOT NULL,
    -- The text as a stream in the "deflate" form.
    body BLOB NOT NULL,
    UNIQUE (job, epoch, part)
) STRICT;

CREATE INDEX user_export_part_by_age ON user_export_part (written_at);

CREATE INDEX user_export_part_of_user ON user_export_part (user);

CREATE TABLE user_plan (
    user INTEGER PRIMARY KEY,
    -- The operator's choice.
    plan TEXT,
    -- The tier that the identity provider or the gateway named last.
    tier TEXT
) STRICT;

CREATE TABLE user_position (
    queue TEXT NOT NULL,
    user INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (queue, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_spend (
    day INTEGER NOT NULL,
    user INTEGER NOT NULL,
    micro_dollars INTEGER NOT NULL,
    PRIMARY KEY (day, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE waiting (
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    job INTEGER NOT NULL,
    PRIMARY KEY (kind, user, priority DESC, job)
) STRICT, WITHOUT ROWID;

CREATE TABLE watchlist (
    user INTEGER NOT NULL,
    ticker TEXT NOT NULL,
    name TEXT,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user, ticker)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
    number INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    user INTEGER NOT NULL,
    type TEXT NOT NULL,
    job TEXT,
    kind TEXT,
    about INTEGER,
    error_code TEXT,
    credits INTEGER NOT NULL DEFAULT 0,
    job_created_at INTEGER,
    at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'held')),
    -- The time of the next try, or of the end of the lease of the present one.
    next_at INTEGER,
    -- The claim whose worker makes the present try.
    lease TEXT,
    -- The tries since the delivery was stored or replayed.
    attempts INTEGER NOT NULL DEFAULT 0,
    -- A JSON list of the last tries.
    tries TEXT NOT NULL DEFAULT '[]',
    changed_at INTEGER NOT NULL,
    UNIQUE (event, endpoint),
    CHECK ((status = 'pending') = (next_at IS NOT NULL))
) STRICT;

CREATE INDEX webhook_delivery_about ON webhook_delivery (about) WHERE about IS NOT NULL;

CREATE INDEX webhook_delivery_changed ON webhook_delivery (changed_at);

CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at) WHERE status = 'pending';

CREATE INDEX webhook_delivery_leased ON webhook_delivery (endpoint) WHERE lease IS NOT NULL;

CREATE INDEX webhook_delivery_of_job ON webhook_delivery (job) WHERE job IS NOT NULL;

CREATE INDEX webhook_delivery_of_status ON webhook_delivery (user, status, number);

CREATE INDEX webhook_delivery_of_user ON webhook_delivery (user, number);

CREATE INDEX webhook_delivery_pending ON webhook_delivery (endpoint, next_at) WHERE status = 'pending';

CREATE TABLE webhook_endpoint (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user INTEGER NOT NULL,
    url TEXT NOT NULL,
    events INTEGER NOT NULL CHECK (events BETWEEN 1 AND 15),
    description TEXT,
    secrets TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    disabled_because TEXT CHECK (disabled_because IN ('user', 'gone', 'failing')),
    disabled_at INTEGER,
    created_at INTEGER NOT NULL,
    -- The first failure since the last success.
    failing_since INTEGER,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    last_failure_status INTEGER,
    last_failure_error TEXT,
    idempotency_key TEXT,
    idempotency_fingerprint TEXT,
    CHECK (enabled = (disabled_because IS NULL)),
    CHECK ((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))
) STRICT;

CREATE UNIQUE INDEX webhook_endpoint_idempotency ON webhook_endpoint (user, idempotency_key)
WHERE idempotency_key IS NOT NULL;

CREATE INDEX webhook_endpoint_of_user ON webhook_endpoint (user, number);

CREATE TABLE worker (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    process_id INTEGER NOT NULL,
    concurrency INTEGER NOT NULL,
    beats INTEGER NOT NULL,
    started_at INTEGER NOT NULL
, machine TEXT NOT NULL DEFAULT '', process_start INTEGER NOT NULL DEFAULT 0, abilities TEXT NOT NULL DEFAULT '{}', heard_at INTEGER NOT NULL DEFAULT 0, running INTEGER NOT NULL DEFAULT 0, drained_at INTEGER, version TEXT NOT NULL DEFAULT '') STRICT;

CREATE INDEX worker_machine ON worker (machine);

CREATE TABLE worker_name (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL
) STRICT;
