CREATE TYPE public.call_state AS ENUM (
    'running',
    'ok',
    'failed',
    'cancelled',
    'stalled',
    'cut',
    'hedge_lost'
);

CREATE TYPE public.focus_profile AS ENUM (
    'focused',
    'balanced',
    'broad'
);

CREATE TYPE public.job_status AS ENUM (
    'pending',
    'processing',
    'completed',
    'failed',
    'cancelled'
);

CREATE TYPE public.ledger_kind AS ENUM (
    'grant',
    'hold',
    'settle',
    'release'
);

CREATE TYPE public.queue AS ENUM (
    'interactive',
    'background'
);

CREATE TYPE public.service_tier AS ENUM (
    'standard',
    'batch'
);

CREATE TABLE public.balance (
    user_id bigint NOT NULL,
    granted bigint NOT NULL,
    held bigint NOT NULL,
    used bigint NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    bucket bigint DEFAULT 0 NOT NULL,
    CONSTRAINT balance_check CHECK ((((granted - held) - used) >= 0)),
    CONSTRAINT balance_held_check CHECK ((held >= 0)),
    CONSTRAINT balance_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.api_key (
    id text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    seed text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    creator_type text NOT NULL COLLATE pg_catalog."C",
    creator_id text NOT NULL COLLATE pg_catalog."C",
    creator_name text NOT NULL,
    last_used_at bigint,
    expires_at bigint,
    revoked_at bigint,
    request_key text COLLATE pg_catalog."C",
    fingerprint text
);

CREATE TABLE public.job (
    number bigint NOT NULL,
    id uuid NOT NULL,
    user_id bigint NOT NULL,
    priority bigint,
    cost bigint,
    max_attempts bigint,
    created_at bigint NOT NULL,
    time_limit bigint,
    deadline bigint,
    run_at bigint,
    started_at bigint,
    completed_at bigint,
    epoch bigint DEFAULT 0,
    failed_epoch bigint,
    worker bigint,
    hold bigint,
    drop_steps_from bigint,
    revision bigint DEFAULT 1,
    attempt bigint DEFAULT 0,
    subscribed_to bigint,
    shared_job_revision bigint,
    shared_owner bigint,
    shared_key text,
    shared_job uuid,
    first_death bigint,
    deaths integer DEFAULT 0,
    status public.job_status DEFAULT 'pending'::public.job_status NOT NULL,
    queue public.queue,
    progress smallint DEFAULT 0,
    blocked boolean DEFAULT false,
    limited boolean,
    waiting boolean DEFAULT false,
    interrupted boolean DEFAULT false,
    kind text NOT NULL,
    bundle text,
    input text NOT NULL,
    concurrency_key text,
    unique_key text,
    idempotency_key text,
    idempotency_fingerprint text,
    request_id text,
    current_step text,
    error_code text,
    error_message text,
    error_user_message text,
    result text,
    waits_for text,
    within bigint,
    billed_user bigint,
    counts bigint,
    times bigint,
    bundle_number integer,
    packed bytea,
    history text,
    cancelled_by text,
    subject text,
    CONSTRAINT job_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT job_check CHECK (((status = ANY (ARRAY['completed'::public.job_status, 'failed'::public.job_status, 'cancelled'::public.job_status])) = (completed_at IS NOT NULL))),
    CONSTRAINT job_check1 CHECK (((status <> 'processing'::public.job_status) OR (worker IS NOT NULL))),
    CONSTRAINT job_check2 CHECK (((status = 'pending'::public.job_status) OR ((NOT blocked) AND (run_at IS NULL)))),
    CONSTRAINT job_check3 CHECK (((NOT waiting) OR (limited AND (status = 'pending'::public.job_status) AND (NOT blocked) AND (run_at IS NULL)))),
    CONSTRAINT job_check4 CHECK (((subscribed_to IS NULL) OR ((status = 'pending'::public.job_status) AND (NOT blocked) AND (NOT waiting) AND (NOT limited) AND (run_at IS NULL)))),
    CONSTRAINT job_check5 CHECK (((shared_job_revision IS NULL) = (subscribed_to IS NULL))),
    CONSTRAINT job_check6 CHECK (((status <> 'failed'::public.job_status) OR (error_code IS NOT NULL))),
    CONSTRAINT job_check8 CHECK (((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))),
    CONSTRAINT job_check9 CHECK (((cost = 0) = (hold IS NULL))),
    CONSTRAINT job_cost_check CHECK ((cost >= 0)),
    CONSTRAINT job_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT job_progress_check CHECK (((progress >= 0) AND (progress <= 100)))
)
WITH (fillfactor='45', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_insert_scale_factor='0.2', autovacuum_analyze_scale_factor='0.05');
ALTER TABLE ONLY public.job ALTER COLUMN input SET COMPRESSION lz4;
ALTER TABLE ONLY public.job ALTER COLUMN result SET COMPRESSION lz4;
ALTER TABLE ONLY public.job ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE public.model_batch_line (
    id text NOT NULL COLLATE pg_catalog."C",
    job uuid NOT NULL,
    step text NOT NULL,
    input_hash text NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    model text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    try bigint NOT NULL,
    custom_id text NOT NULL COLLATE pg_catalog."C",
    batch text COLLATE pg_catalog."C",
    alone boolean DEFAULT false NOT NULL,
    hurried boolean NOT NULL,
    last_chance bigint NOT NULL,
    added_at bigint NOT NULL,
    call text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    request text NOT NULL,
    answer text,
    CONSTRAINT model_batch_line_state_check CHECK ((state = ANY (ARRAY['open'::text, 'answered'::text, 'journalled'::text, 'failed'::text])))
);

CREATE TABLE public.credit_grant (
    digest text NOT NULL COLLATE pg_catalog."C",
    external_id text,
    id text NOT NULL,
    user_id bigint NOT NULL,
    amount bigint NOT NULL,
    applied bigint NOT NULL,
    source text NOT NULL,
    note text,
    created_at bigint NOT NULL,
    granted bigint NOT NULL,
    held bigint NOT NULL,
    used bigint NOT NULL
);

CREATE TABLE public.pause (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text COLLATE pg_catalog."C",
    lane public.queue,
    note text,
    by_name text NOT NULL,
    since bigint NOT NULL,
    until bigint,
    seen bigint DEFAULT 0,
    is_ending boolean DEFAULT false NOT NULL,
    is_over boolean DEFAULT false NOT NULL,
    resumed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT pause_check CHECK (((kind IS NULL) <> (lane IS NULL)))
);

CREATE TABLE public.erasure (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    subject text,
    digest text COLLATE pg_catalog."C",
    requested_at bigint NOT NULL,
    complete_by bigint NOT NULL,
    completed_at bigint,
    had_credits boolean DEFAULT false NOT NULL,
    month text COLLATE pg_catalog."C",
    month_granted bigint,
    CONSTRAINT erasure_check CHECK (((user_id IS NULL) = (subject IS NULL))),
    CONSTRAINT erasure_check1 CHECK (((completed_at IS NULL) OR (user_id IS NULL)))
);

CREATE TABLE public.model_batch (
    id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    model text NOT NULL,
    state text NOT NULL,
    due_at bigint,
    provider_id text COLLATE pg_catalog."C",
    first_line_at bigint NOT NULL,
    sealed_at bigint NOT NULL,
    collected_at bigint,
    fence bigint DEFAULT 0 NOT NULL,
    leased_until bigint DEFAULT 0 NOT NULL,
    value text NOT NULL,
    CONSTRAINT model_batch_check CHECK (((state = 'collected'::text) = (due_at IS NULL))),
    CONSTRAINT model_batch_check1 CHECK (((state = 'collected'::text) = (collected_at IS NOT NULL))),
    CONSTRAINT model_batch_state_check CHECK ((state = ANY (ARRAY['sealed'::text, 'sending'::text, 'out'::text, 'unclear'::text, 'refused'::text, 'ended'::text, 'collected'::text])))
)
WITH (fillfactor='50');

CREATE TABLE public.access_generation (
    user_id bigint NOT NULL,
    generation bigint NOT NULL,
    changed_at bigint NOT NULL,
    CONSTRAINT access_generation_generation_check CHECK ((generation > 0))
);

CREATE TABLE public.account (
    id bigint NOT NULL,
    subject text NOT NULL,
    created_at bigint NOT NULL
);

CREATE SEQUENCE public.account_number
    START WITH 1099511627777
    INCREMENT BY 1
    MINVALUE 1099511627777
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.account_owner (
    user_id bigint NOT NULL
);

CREATE TABLE public.article (
    number bigint NOT NULL,
    id text NOT NULL,
    url text NOT NULL,
    title text NOT NULL,
    description text,
    source text NOT NULL,
    author text,
    image text,
    language text,
    category text,
    published_at bigint NOT NULL,
    fetched_at bigint NOT NULL,
    day text,
    fingerprint bigint NOT NULL,
    fingerprint_words bigint NOT NULL,
    duplicate_of text
);

CREATE TABLE public.article_index (
    article bigint NOT NULL,
    words tsvector NOT NULL
);

ALTER TABLE public.article ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.article_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.article_text (
    article bigint NOT NULL,
    text text NOT NULL
);

CREATE TABLE public.article_ticker (
    ticker text NOT NULL,
    article bigint NOT NULL
);

CREATE VIEW public.article_record AS
 SELECT a.number,
    a.id,
    a.url,
    a.title,
    a.description,
    t.text,
    a.source,
    a.author,
    a.image,
    a.language,
    a.category,
    ( SELECT string_agg(k.ticker, ' '::text) AS string_agg
           FROM public.article_ticker k
          WHERE (k.article = a.number)) AS tickers,
    a.published_at,
    a.fetched_at,
    a.day,
    a.fingerprint,
    a.fingerprint_words,
    a.duplicate_of
   FROM (public.article a
     LEFT JOIN public.article_text t ON ((t.article = a.number)));

CREATE TABLE public.article_signal (
    user_id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    signal text NOT NULL,
    made_at bigint NOT NULL,
    CONSTRAINT article_signal_url_check CHECK ((octet_length(url) <= 2048))
);

CREATE TABLE public.article_vector (
    article bigint NOT NULL,
    model text NOT NULL,
    components text NOT NULL
);

CREATE TABLE public.audit (
    id text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    actor_type text NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    target text,
    user_id bigint,
    details text NOT NULL,
    request_id text,
    CONSTRAINT audit_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'key'::text, 'cli'::text])))
);

CREATE TABLE public.audit_retention (
    one integer NOT NULL,
    before bigint NOT NULL,
    CONSTRAINT audit_retention_one_check CHECK ((one = 1))
);

CREATE TABLE public.brief (
    user_id bigint NOT NULL,
    items text NOT NULL,
    generated_at bigint NOT NULL
);

CREATE TABLE public.budget (
    name text NOT NULL,
    version bigint NOT NULL,
    state text NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.bundle (
    hash text NOT NULL,
    archive text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE public.bundle_number (
    number integer NOT NULL,
    bundle text NOT NULL
);

ALTER TABLE public.bundle_number ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.bundle_number_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.conversation_turn (
    number bigint NOT NULL,
    job text NOT NULL,
    user_id bigint NOT NULL,
    conversation text NOT NULL,
    subject text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    citations text NOT NULL,
    asked_at bigint NOT NULL,
    answered_at bigint NOT NULL
);

ALTER TABLE public.conversation_turn ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.conversation_turn_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.current_bundle (
    one bigint NOT NULL,
    hash text NOT NULL,
    adopted_at bigint NOT NULL,
    CONSTRAINT current_bundle_one_check CHECK ((one = 1))
);

CREATE TABLE public.document (
    key text NOT NULL,
    body text NOT NULL,
    stored_at bigint NOT NULL,
    kept_until bigint NOT NULL
);

CREATE TABLE public.erasure_key (
    one integer NOT NULL,
    key text NOT NULL,
    CONSTRAINT erasure_key_one_check CHECK ((one = 1))
);

CREATE TABLE public.finished_job (
    CONSTRAINT finished_job_check CHECK (((status = 'completed'::public.job_status) OR (COALESCE(counts, times, (bundle_number)::bigint) IS NULL))),
    CONSTRAINT finished_job_check1 CHECK ((num_nulls(counts, times, bundle_number) = ANY (ARRAY[0, 3]))),
    CONSTRAINT finished_job_check2 CHECK (((counts IS NOT NULL) OR (num_nulls(priority, cost, max_attempts, time_limit, deadline, epoch, revision, attempt, deaths, queue, progress, blocked, limited, waiting, interrupted, bundle) = 0))),
    CONSTRAINT finished_job_completed_at_check CHECK ((completed_at IS NOT NULL)),
    CONSTRAINT finished_job_status_check CHECK ((status = ANY (ARRAY['completed'::public.job_status, 'failed'::public.job_status, 'cancelled'::public.job_status])))
)
INHERITS (public.job)
WITH (toast_tuple_target='256', autovacuum_vacuum_insert_scale_factor='0.2');
ALTER TABLE ONLY public.finished_job ALTER COLUMN input SET STORAGE MAIN;
ALTER TABLE ONLY public.finished_job ALTER COLUMN input SET COMPRESSION lz4;
ALTER TABLE ONLY public.finished_job ALTER COLUMN result SET STORAGE MAIN;
ALTER TABLE ONLY public.finished_job ALTER COLUMN result SET COMPRESSION lz4;
ALTER TABLE ONLY public.finished_job ALTER COLUMN packed SET STORAGE MAIN;

CREATE TABLE public.fleet_clock (
    one integer NOT NULL,
    observed_at bigint NOT NULL,
    elapsed bigint NOT NULL,
    resumed_at bigint NOT NULL,
    turn_at bigint NOT NULL,
    looked_from bigint DEFAULT 0 NOT NULL,
    CONSTRAINT fleet_clock_one_check CHECK ((one = 1))
)
WITH (fillfactor='50');

CREATE TABLE public.fleet_deaths (
    one integer NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT fleet_deaths_one_check CHECK ((one = 1))
)
WITH (fillfactor='50');

CREATE TABLE public.history_pass (
    name text NOT NULL,
    reached uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    began_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT history_pass_name_check CHECK ((name = ANY (ARRAY['archive'::text, 'delete'::text, 'journals'::text])))
)
WITH (fillfactor='50', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.holding (
    user_id bigint NOT NULL,
    ticker text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    label text,
    notes text
);

ALTER TABLE public.job ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.job_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.serialized_job (
    user_id bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    holds boolean NOT NULL,
    concurrency_key text NOT NULL
);

CREATE VIEW public.job_record WITH (security_invoker='true') AS
 SELECT j.id,
    j.user_id,
    j.kind,
    j.input,
    COALESCE(j.bundle, ( SELECT b.bundle
           FROM public.bundle_number b
          WHERE (b.number = j.bundle_number))) AS bundle,
    (COALESCE(s.status, j.status))::text AS status,
    (COALESCE(j.queue, 'background'::public.queue))::text AS queue,
    COALESCE(j.priority, (0)::bigint) AS priority,
    COALESCE(s.progress, j.progress, (100)::smallint) AS progress,
        CASE
            WHEN (s.number IS NULL) THEN j.current_step
            ELSE s.current_step
        END AS current_step,
    COALESCE(s.attempt, j.attempt, ((j.counts >> 20) & (4095)::bigint)) AS attempt,
    COALESCE(j.max_attempts, ((j.counts >> 32) & (4095)::bigint)) AS max_attempts,
    COALESCE(j.cost, (0)::bigint) AS cost,
        CASE
            WHEN (s.number IS NULL) THEN j.error_code
            ELSE s.error_code
        END AS error_code,
        CASE
            WHEN (s.number IS NULL) THEN j.error_message
            ELSE s.error_message
        END AS error_message,
        CASE
            WHEN (s.number IS NULL) THEN j.error_user_message
            ELSE s.error_user_message
        END AS error_user_message,
    (COALESCE(j.revision, (j.counts & (1048575)::bigint)) + COALESCE((s.revision - j.shared_job_revision), (0)::bigint)) AS revision,
    j.created_at,
        CASE
            WHEN (s.number IS NULL) THEN COALESCE(j.started_at, ((j.created_at + NULLIF((j.times & (2147483647)::bigint), 0)) - 1))
            WHEN (s.started_at IS NOT NULL) THEN GREATEST(s.started_at, j.created_at)
            ELSE NULL::bigint
        END AS started_at,
    j.completed_at,
    COALESCE(j.deadline, (j.created_at + (j.times >> 31))) AS deadline,
    j.run_at,
        CASE
            WHEN j.blocked THEN ( SELECT p.id
               FROM (public.serialized_job k
                 JOIN public.job p ON ((p.number = k.job)))
              WHERE ((k.user_id = j.user_id) AND (k.concurrency_key = j.concurrency_key) AND (k.holds OR (k.job < j.number)))
              ORDER BY k.holds, k.job DESC
             LIMIT 1)
            ELSE NULL::uuid
        END AS held_up_by,
    COALESCE(j.waiting, false) AS waiting,
    j.number,
    (j.subscribed_to IS NOT NULL) AS is_subscriber,
    j.waits_for,
    j.within,
    j.subject
   FROM (public.job j
     LEFT JOIN public.job s ON ((s.number = j.subscribed_to)));

CREATE TABLE public.kind_limit (
    kind text NOT NULL,
    fleet bigint,
    per_user bigint,
    taken bigint DEFAULT 0 NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL,
    CONSTRAINT kind_limit_fleet_check CHECK ((fleet >= 1)),
    CONSTRAINT kind_limit_per_user_check CHECK ((per_user >= 1)),
    CONSTRAINT kind_limit_taken_check CHECK ((taken >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.lease (
    worker bigint NOT NULL,
    job bigint NOT NULL,
    claim bigint NOT NULL,
    deadline bigint NOT NULL,
    claimed_at bigint DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0', autovacuum_vacuum_insert_threshold='-1');

CREATE TABLE public.ledger (
    entry bigint NOT NULL,
    user_id bigint NOT NULL,
    amount bigint NOT NULL,
    created_at bigint NOT NULL,
    hold bigint,
    job uuid,
    operation uuid,
    kind public.ledger_kind NOT NULL,
    note text,
    source text,
    month text,
    CONSTRAINT ledger_check CHECK (((kind = ANY (ARRAY['settle'::public.ledger_kind, 'release'::public.ledger_kind])) = (hold IS NOT NULL))),
    CONSTRAINT ledger_check1 CHECK (((kind = 'grant'::public.ledger_kind) OR ((job IS NOT NULL) AND (amount > 0))))
);

ALTER TABLE public.ledger ALTER COLUMN entry ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ledger_entry_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ledger_job (
    job uuid NOT NULL,
    kind text NOT NULL
);

CREATE TABLE public.migration (
    version bigint NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at bigint NOT NULL
);

CREATE TABLE public.model_call (
    user_id bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cache_read_tokens bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    cost_micro_dollars bigint NOT NULL,
    created_at bigint NOT NULL,
    job uuid NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    state public.call_state DEFAULT 'ok'::public.call_state NOT NULL,
    certainty smallint DEFAULT 2 NOT NULL,
    free boolean DEFAULT false NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    ended_at bigint,
    least_output_tokens bigint,
    least_cost_micro_dollars bigint,
    hedge_of text,
    service_tier public.service_tier DEFAULT 'standard'::public.service_tier NOT NULL,
    cache_write_1h_tokens bigint DEFAULT 0 NOT NULL,
    list_micro_dollars bigint,
    write_micro_dollars bigint DEFAULT 0 NOT NULL,
    prompt text,
    interactive boolean DEFAULT false NOT NULL,
    waited_ms bigint,
    first_byte_ms bigint,
    first_content_ms bigint,
    longest_gap_ms bigint,
    cache_marks text,
    heard_at bigint,
    simulated boolean DEFAULT false NOT NULL,
    error_code text,
    error_message text,
    provider_request_id text,
    CONSTRAINT model_call_certainty_check CHECK ((certainty = ANY (ARRAY[0, 1, 2])))
);

CREATE TABLE public.news_source (
    source text NOT NULL,
    etag text,
    last_modified text,
    asked_at bigint NOT NULL,
    failures bigint NOT NULL,
    problem text
);

CREATE SEQUENCE public.notice_ready
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE public.notice_visible
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.operation (
    id text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL,
    filter text NOT NULL,
    user_id bigint,
    note text,
    actor_type text NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    request_id text,
    fingerprint text NOT NULL,
    status text DEFAULT 'collecting'::text NOT NULL,
    matched bigint DEFAULT 0 NOT NULL,
    changed bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    started_at bigint NOT NULL,
    completed_at bigint,
    worker text,
    leased_until bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.operation_job (
    operation text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    job text NOT NULL,
    outcome text,
    code text
);

CREATE TABLE public.worker (
    number bigint NOT NULL,
    id text NOT NULL,
    host text NOT NULL,
    process_id bigint NOT NULL,
    concurrency bigint NOT NULL,
    beats bigint NOT NULL,
    started_at bigint NOT NULL,
    machine text DEFAULT ''::text NOT NULL,
    process_start bigint DEFAULT 0 NOT NULL,
    abilities text DEFAULT '{}'::text NOT NULL,
    is_partial boolean DEFAULT false NOT NULL,
    heard_at bigint DEFAULT 0 NOT NULL,
    running bigint DEFAULT 0 NOT NULL,
    session integer,
    beat_at bigint DEFAULT 0 NOT NULL,
    drained_at bigint,
    version text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='50');

CREATE VIEW public.operator_job WITH (security_invoker='true') AS
 SELECT r.id,
    r.user_id,
    r.kind,
    'null'::text AS input,
    r.bundle,
    r.status,
    r.queue,
    r.priority,
    r.progress,
    r.current_step,
    r.attempt,
    r.max_attempts,
    r.cost,
    r.error_code,
    r.error_message,
    r.error_user_message,
    r.revision,
    r.created_at,
    r.started_at,
    r.completed_at,
    r.deadline,
    r.run_at,
    r.held_up_by,
    r.waiting,
    r.is_subscriber,
    r.waits_for,
    r.within,
    r.subject,
    r.number,
    COALESCE(a.subject,
        CASE j.user_id
            WHEN '-1'::integer THEN 'system'::text
            ELSE (j.user_id)::text
        END) AS owner,
    w.id AS worker,
    COALESCE(j.epoch, ((j.counts >> 44) & (65535)::bigint)) AS epoch,
    j.request_id,
    (COALESCE(( SELECT sum(m.cost_micro_dollars) AS sum
           FROM public.model_call m
          WHERE (m.job = r.id)), (0)::numeric))::bigint AS cost_micro_dollars,
    c.provider,
    c.model,
    COALESCE(c.heard_at, c.created_at) AS heard_at,
    j.cancelled_by
   FROM ((((public.job_record r
     JOIN public.job j ON ((j.number = r.number)))
     LEFT JOIN public.account a ON ((a.id = j.user_id)))
     LEFT JOIN public.worker w ON (((w.number = j.worker) AND (j.status = 'processing'::public.job_status))))
     LEFT JOIN LATERAL ( SELECT m.provider,
            m.model,
            m.heard_at,
            m.created_at
           FROM public.model_call m
          WHERE ((m.job = r.id) AND (m.state = 'running'::public.call_state))
          ORDER BY m.created_at DESC, m.id DESC
         LIMIT 1) c ON (true));

CREATE TABLE public.passage (
    number bigint NOT NULL,
    kind text NOT NULL,
    source text NOT NULL,
    part bigint NOT NULL,
    owner bigint,
    title text NOT NULL,
    url text,
    body text NOT NULL,
    terms text NOT NULL,
    written_at bigint NOT NULL,
    index tsvector GENERATED ALWAYS AS (array_to_tsvector(array_remove(string_to_array(terms, ' '::text), ''::text))) STORED NOT NULL,
    digest text NOT NULL
);

ALTER TABLE public.passage ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.passage_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.passage_vector (
    digest text NOT NULL,
    model text NOT NULL,
    components text NOT NULL
);

CREATE TABLE public.plan_credit (
    user_id bigint NOT NULL,
    month text NOT NULL COLLATE pg_catalog."C",
    granted bigint NOT NULL,
    spent bigint NOT NULL,
    pool bigint NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT plan_credit_granted_check CHECK ((granted >= 0)),
    CONSTRAINT plan_credit_pool_check CHECK ((pool >= 0)),
    CONSTRAINT plan_credit_spent_check CHECK ((spent >= 0)),
    CONSTRAINT plan_credit_used_check CHECK ((used >= 0))
);

CREATE TABLE public.preferences (
    user_id bigint NOT NULL,
    focus_profile public.focus_profile NOT NULL,
    updated_at bigint NOT NULL,
    time_zone text,
    language text
);

CREATE SEQUENCE public.queue_head_background
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE public.queue_head_interactive
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

CREATE UNLOGGED TABLE public.rate_count (
    minute bigint NOT NULL,
    user_id bigint NOT NULL,
    count bigint NOT NULL,
    bucket text NOT NULL,
    broker text NOT NULL
);

CREATE TABLE public.ready (
    "position" bigint NOT NULL,
    job bigint NOT NULL,
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    deadline bigint NOT NULL,
    queue public.queue NOT NULL,
    unordered boolean NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0', autovacuum_vacuum_insert_threshold='-1');

CREATE TABLE public.recall_card (
    user_id bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    concept text NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL,
    schedule text NOT NULL,
    due_at bigint NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE public.refresh_token (
    digest text NOT NULL COLLATE pg_catalog."C",
    session text NOT NULL COLLATE pg_catalog."C",
    seed text NOT NULL,
    used_at bigint,
    successor text COLLATE pg_catalog."C",
    CONSTRAINT refresh_token_check CHECK (((used_at IS NULL) = (successor IS NULL)))
);

CREATE TABLE public.schedule_run (
    schedule text NOT NULL,
    scheduled_at bigint NOT NULL
);

CREATE TABLE public.scheduled (
    run_at bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.schema_compatibility (
    oldest_program bigint NOT NULL
);

CREATE TABLE public.service_spend (
    day bigint NOT NULL,
    bucket bigint NOT NULL,
    micro_dollars bigint NOT NULL,
    free_micro_dollars bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.session (
    id text NOT NULL COLLATE pg_catalog."C",
    user_id bigint NOT NULL,
    device text,
    tier text,
    role text,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    ended_at bigint
);

CREATE TABLE public.shared_work_use (
    day bigint NOT NULL,
    user_id bigint NOT NULL,
    work text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.step (
    job bigint NOT NULL,
    sequence bigint NOT NULL,
    occurrence bigint NOT NULL,
    name text NOT NULL,
    input_hash text NOT NULL,
    output text NOT NULL,
    packed bytea,
    epoch bigint,
    started_at bigint,
    ended_at bigint
)
WITH (autovacuum_vacuum_insert_scale_factor='0.5');
ALTER TABLE ONLY public.step ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE SEQUENCE public.step_sequence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.stored_function (
    name text NOT NULL,
    interface text NOT NULL,
    digest text NOT NULL,
    retired_by bigint
);

CREATE TABLE public.story (
    number bigint NOT NULL,
    key text NOT NULL,
    day text NOT NULL,
    title text NOT NULL,
    impact bigint NOT NULL,
    confidence text NOT NULL,
    tickers jsonb NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    merged_into bigint,
    rated_impact bigint,
    rated_articles bigint,
    CONSTRAINT story_confidence_check CHECK ((confidence = ANY (ARRAY['Low'::text, 'Medium'::text, 'High'::text]))),
    CONSTRAINT story_impact_check CHECK (((impact >= 0) AND (impact <= 3))),
    CONSTRAINT story_rated_articles_check CHECK ((rated_articles > 0)),
    CONSTRAINT story_rated_impact_check CHECK (((rated_impact >= 0) AND (rated_impact <= 3)))
);

CREATE TABLE public.story_explanation (
    story text NOT NULL,
    holdings text NOT NULL,
    version text NOT NULL,
    body text NOT NULL,
    provenance text NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE public.story_group (
    id bigint NOT NULL,
    story bigint NOT NULL,
    ticker text DEFAULT ''::text NOT NULL,
    day text NOT NULL,
    is_shown boolean DEFAULT true NOT NULL
);

ALTER TABLE public.story_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.story_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.story_member (
    article text NOT NULL,
    story bigint NOT NULL,
    url text NOT NULL,
    similarity bigint NOT NULL,
    added_at bigint NOT NULL,
    place bigint NOT NULL,
    CONSTRAINT story_member_similarity_check CHECK (((similarity >= 0) AND (similarity <= 10000)))
);

ALTER TABLE public.story ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.story_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.story_record AS
 SELECT s.number,
    s.key,
    s.day,
    s.title,
    COALESCE(s.rated_impact, s.impact) AS impact,
    s.confidence,
    (s.tickers)::text AS tickers,
    ( SELECT (COALESCE(json_agg(json_build_array(m.article, m.url, m.similarity, m.added_at) ORDER BY m.place), '[]'::json))::text AS "coalesce"
           FROM public.story_member m
          WHERE (m.story = s.number)) AS members,
    ( SELECT (COALESCE(json_agg(l.key ORDER BY l.created_at, (l.key COLLATE "C")), '[]'::json))::text AS "coalesce"
           FROM public.story l
          WHERE (l.merged_into = s.number)) AS absorbed,
    s.created_at,
    s.updated_at,
    s.merged_into,
    s.rated_articles
   FROM public.story s;

CREATE TABLE public.subscriber (
    shared_job bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.unique_job (
    user_id bigint NOT NULL,
    job bigint NOT NULL,
    unique_key text NOT NULL
);

CREATE TABLE public.user_bar (
    user_id bigint NOT NULL,
    barred boolean NOT NULL,
    changed_at bigint NOT NULL
);

CREATE TABLE public.user_concurrency (
    user_id bigint NOT NULL,
    taken bigint NOT NULL,
    waiting bigint NOT NULL,
    "position" bigint,
    kind text NOT NULL,
    CONSTRAINT user_concurrency_taken_check CHECK ((taken >= 0)),
    CONSTRAINT user_concurrency_waiting_check CHECK ((waiting >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.user_export (
    job uuid NOT NULL,
    user_id bigint NOT NULL,
    epoch bigint NOT NULL,
    made_at bigint NOT NULL,
    lines bigint NOT NULL,
    bytes bigint NOT NULL,
    parts bigint NOT NULL
);

CREATE TABLE public.user_export_part (
    number bigint NOT NULL,
    job uuid NOT NULL,
    epoch bigint NOT NULL,
    part bigint NOT NULL,
    user_id bigint NOT NULL,
    written_at bigint NOT NULL,
    length bigint NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY public.user_export_part ALTER COLUMN body SET STORAGE EXTERNAL;

ALTER TABLE public.user_export_part ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.user_export_part_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_plan (
    user_id bigint NOT NULL,
    plan text,
    tier text
);

CREATE TABLE public.user_position (
    user_id bigint NOT NULL,
    "position" bigint NOT NULL,
    queue public.queue NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    bucket bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.user_spend (
    day bigint NOT NULL,
    user_id bigint NOT NULL,
    micro_dollars bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.1', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.waiting (
    user_id bigint NOT NULL,
    priority bigint NOT NULL,
    job bigint NOT NULL,
    deadline bigint NOT NULL,
    kind text NOT NULL
);

CREATE TABLE public.watchlist (
    user_id bigint NOT NULL,
    added_at bigint NOT NULL,
    ticker text NOT NULL,
    name text
);

CREATE TABLE public.webhook_delivery (
    number bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    endpoint bigint NOT NULL,
    user_id bigint NOT NULL,
    type text NOT NULL,
    job text COLLATE pg_catalog."C",
    kind text,
    about bigint,
    error_code text,
    credits bigint DEFAULT 0 NOT NULL,
    job_created_at bigint,
    at bigint NOT NULL,
    status text NOT NULL,
    next_at bigint,
    lease text,
    attempts bigint DEFAULT 0 NOT NULL,
    tries text DEFAULT '[]'::text NOT NULL,
    changed_at bigint NOT NULL,
    CONSTRAINT webhook_delivery_check CHECK (((status = 'pending'::text) = (next_at IS NOT NULL))),
    CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'held'::text])))
);

ALTER TABLE public.webhook_delivery ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_delivery_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_endpoint (
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    user_id bigint NOT NULL,
    url text NOT NULL,
    events bigint NOT NULL,
    description text,
    secrets text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_because text,
    disabled_at bigint,
    created_at bigint NOT NULL,
    failing_since bigint,
    last_success_at bigint,
    last_failure_at bigint,
    last_failure_status bigint,
    last_failure_error text,
    idempotency_key text,
    idempotency_fingerprint text,
    CONSTRAINT webhook_endpoint_check CHECK ((enabled = (disabled_because IS NULL))),
    CONSTRAINT webhook_endpoint_check1 CHECK (((idempotency_key IS NULL) = (idempotency_fingerprint IS NULL))),
    CONSTRAINT webhook_endpoint_disabled_because_check CHECK ((disabled_because = ANY (ARRAY['user'::text, 'gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoint_events_check CHECK (((events >= 1) AND (events <= 15)))
)
WITH (fillfactor='50');

ALTER TABLE public.webhook_endpoint ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_endpoint_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.worker_name (
    number bigint NOT NULL,
    id text NOT NULL
);

ALTER TABLE public.worker ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.worker_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.finished_job ALTER COLUMN epoch SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN revision SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN attempt SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN deaths SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN status SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN progress SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN blocked SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN waiting SET DEFAULT NULL;

ALTER TABLE ONLY public.finished_job ALTER COLUMN interrupted SET DEFAULT NULL;

ALTER TABLE ONLY public.access_generation
    ADD CONSTRAINT access_generation_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.account_owner
    ADD CONSTRAINT account_owner_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_subject_key UNIQUE (subject);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_creator_type_creator_id_request_key_key UNIQUE (creator_type, creator_id, request_key);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_id_key UNIQUE (id);

ALTER TABLE ONLY public.article_index
    ADD CONSTRAINT article_index_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.article_signal
    ADD CONSTRAINT article_signal_pkey PRIMARY KEY (user_id, url);

ALTER TABLE ONLY public.article_text
    ADD CONSTRAINT article_text_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.article_ticker
    ADD CONSTRAINT article_ticker_pkey PRIMARY KEY (ticker, article);

ALTER TABLE ONLY public.article_vector
    ADD CONSTRAINT article_vector_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_retention
    ADD CONSTRAINT audit_retention_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.balance
    ADD CONSTRAINT balance_pkey PRIMARY KEY (user_id, bucket);

ALTER TABLE ONLY public.brief
    ADD CONSTRAINT brief_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.budget
    ADD CONSTRAINT budget_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.bundle_number
    ADD CONSTRAINT bundle_number_bundle_key UNIQUE (bundle);

ALTER TABLE ONLY public.bundle_number
    ADD CONSTRAINT bundle_number_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.bundle
    ADD CONSTRAINT bundle_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.conversation_turn
    ADD CONSTRAINT conversation_turn_job_key UNIQUE (job);

ALTER TABLE ONLY public.conversation_turn
    ADD CONSTRAINT conversation_turn_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.credit_grant
    ADD CONSTRAINT credit_grant_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.current_bundle
    ADD CONSTRAINT current_bundle_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_id_key UNIQUE (id);

ALTER TABLE ONLY public.erasure_key
    ADD CONSTRAINT erasure_key_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.fleet_clock
    ADD CONSTRAINT fleet_clock_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.fleet_deaths
    ADD CONSTRAINT fleet_deaths_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.history_pass
    ADD CONSTRAINT history_pass_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.holding
    ADD CONSTRAINT holding_pkey PRIMARY KEY (user_id, ticker);

ALTER TABLE public.job
    ADD CONSTRAINT job_check7 CHECK (((status <> 'completed'::public.job_status) OR ((COALESCE((progress)::integer, 100) = 100) AND (error_code IS NULL) AND ((result IS NOT NULL) OR (packed IS NOT NULL))))) NOT VALID;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_id_key UNIQUE (id);

ALTER TABLE public.job
    ADD CONSTRAINT job_is_whole CHECK (((priority IS NOT NULL) AND (cost IS NOT NULL) AND (max_attempts IS NOT NULL) AND (time_limit IS NOT NULL) AND (deadline IS NOT NULL) AND (epoch IS NOT NULL) AND (revision IS NOT NULL) AND (attempt IS NOT NULL) AND (deaths IS NOT NULL) AND (queue IS NOT NULL) AND (progress IS NOT NULL) AND (blocked IS NOT NULL) AND (limited IS NOT NULL) AND (waiting IS NOT NULL) AND (interrupted IS NOT NULL) AND (bundle IS NOT NULL) AND (counts IS NULL) AND (times IS NULL) AND (bundle_number IS NULL))) NO INHERIT NOT VALID;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.kind_limit
    ADD CONSTRAINT kind_limit_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (worker, job);

ALTER TABLE ONLY public.ledger_job
    ADD CONSTRAINT ledger_job_pkey PRIMARY KEY (job);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_operation_key UNIQUE (operation);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (entry);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.model_batch_line
    ADD CONSTRAINT model_batch_line_custom_id_key UNIQUE (custom_id);

ALTER TABLE ONLY public.model_batch_line
    ADD CONSTRAINT model_batch_line_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.model_batch
    ADD CONSTRAINT model_batch_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.model_call
    ADD CONSTRAINT model_call_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.news_source
    ADD CONSTRAINT news_source_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.operation_job
    ADD CONSTRAINT operation_job_pkey PRIMARY KEY (operation, place);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_kind_source_part_key UNIQUE (kind, source, part);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.passage_vector
    ADD CONSTRAINT passage_vector_pkey PRIMARY KEY (digest, model);

ALTER TABLE ONLY public.pause
    ADD CONSTRAINT pause_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plan_credit
    ADD CONSTRAINT plan_credit_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.preferences
    ADD CONSTRAINT preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.rate_count
    ADD CONSTRAINT rate_count_pkey PRIMARY KEY (minute, user_id, bucket, broker);

ALTER TABLE ONLY public.ready
    ADD CONSTRAINT ready_pkey PRIMARY KEY (queue, "position", job);

ALTER TABLE ONLY public.recall_card
    ADD CONSTRAINT recall_card_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.schedule_run
    ADD CONSTRAINT schedule_run_pkey PRIMARY KEY (schedule);

ALTER TABLE ONLY public.scheduled
    ADD CONSTRAINT scheduled_pkey PRIMARY KEY (run_at, job);

ALTER TABLE ONLY public.serialized_job
    ADD CONSTRAINT serialized_job_pkey PRIMARY KEY (user_id, concurrency_key, job);

ALTER TABLE ONLY public.service_spend
    ADD CONSTRAINT service_spend_pkey PRIMARY KEY (day, bucket);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shared_work_use
    ADD CONSTRAINT shared_work_use_pkey PRIMARY KEY (day, user_id, work);

ALTER TABLE ONLY public.step
    ADD CONSTRAINT step_pkey PRIMARY KEY (job, name, occurrence);

ALTER TABLE ONLY public.stored_function
    ADD CONSTRAINT stored_function_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.story_explanation
    ADD CONSTRAINT story_explanation_pkey PRIMARY KEY (story, holdings, version);

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_story_ticker_key UNIQUE (story, ticker);

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_key_key UNIQUE (key);

ALTER TABLE ONLY public.story_member
    ADD CONSTRAINT story_member_pkey PRIMARY KEY (article);

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.subscriber
    ADD CONSTRAINT subscriber_pkey PRIMARY KEY (shared_job, job);

ALTER TABLE ONLY public.unique_job
    ADD CONSTRAINT unique_job_pkey PRIMARY KEY (user_id, unique_key);

ALTER TABLE ONLY public.user_bar
    ADD CONSTRAINT user_bar_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.user_concurrency
    ADD CONSTRAINT user_concurrency_pkey PRIMARY KEY (kind, user_id);

ALTER TABLE ONLY public.user_export_part
    ADD CONSTRAINT user_export_part_job_epoch_part_key UNIQUE (job, epoch, part);

ALTER TABLE ONLY public.user_export_part
    ADD CONSTRAINT user_export_part_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.user_export
    ADD CONSTRAINT user_export_pkey PRIMARY KEY (job);

ALTER TABLE ONLY public.user_plan
    ADD CONSTRAINT user_plan_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.user_position
    ADD CONSTRAINT user_position_pkey PRIMARY KEY (user_id, queue, bucket);

ALTER TABLE ONLY public.user_spend
    ADD CONSTRAINT user_spend_pkey PRIMARY KEY (day, user_id);

ALTER TABLE ONLY public.watchlist
    ADD CONSTRAINT watchlist_pkey PRIMARY KEY (user_id, ticker);

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_event_endpoint_key UNIQUE (event, endpoint);

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_id_key UNIQUE (id);

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_id_key UNIQUE (id);

ALTER TABLE ONLY public.worker_name
    ADD CONSTRAINT worker_name_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (number);

CREATE INDEX access_generation_by_change ON public.access_generation USING btree (changed_at);

CREATE INDEX api_key_by_age ON public.api_key USING btree (created_at, id);

CREATE INDEX api_key_live ON public.api_key USING btree (digest) WHERE (revoked_at IS NULL);

CREATE INDEX article_by_arrival ON public.article USING btree (fetched_at);

CREATE INDEX article_by_category ON public.article USING btree (category, published_at, id COLLATE "C") WHERE (duplicate_of IS NULL);

CREATE INDEX article_by_day ON public.article USING btree (day) WHERE ((day IS NOT NULL) AND (duplicate_of IS NULL));

CREATE INDEX article_by_time ON public.article USING btree (published_at, id COLLATE "C") WHERE (duplicate_of IS NULL);

CREATE INDEX article_by_url ON public.article USING hash (url);

CREATE INDEX article_by_words ON public.article_index USING gin (words);

CREATE INDEX article_signal_by_age ON public.article_signal USING btree (made_at);

CREATE INDEX article_ticker_by_article ON public.article_ticker USING btree (article);

CREATE INDEX audit_about ON public.audit USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX audit_by_time ON public.audit USING btree (at, id);

CREATE INDEX audit_of_actor ON public.audit USING btree (actor_id);

CREATE INDEX conversation_turn_by_age ON public.conversation_turn USING btree (answered_at);

CREATE INDEX conversation_turn_by_conversation ON public.conversation_turn USING btree (user_id, conversation, number);

CREATE INDEX credit_grant_of_user ON public.credit_grant USING btree (user_id);

CREATE INDEX document_kept_until ON public.document USING btree (kept_until);

CREATE INDEX erasure_of_digest ON public.erasure USING btree (digest, requested_at) WHERE (digest IS NOT NULL);

CREATE INDEX erasure_running ON public.erasure USING btree (requested_at) WHERE (completed_at IS NULL);

CREATE INDEX finished_job_billed ON public.finished_job USING btree (billed_user) WHERE (billed_user IS NOT NULL);

CREATE INDEX finished_job_failed ON public.finished_job USING btree (number) WHERE (status = 'failed'::public.job_status);

CREATE UNIQUE INDEX finished_job_id ON public.finished_job USING btree (id);

CREATE UNIQUE INDEX finished_job_idempotency ON public.finished_job USING btree (idempotency_key, user_id) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX finished_job_number ON public.finished_job USING btree (number);

CREATE INDEX finished_job_of_user ON public.finished_job USING btree (user_id, id);

CREATE INDEX job_billed ON public.job USING btree (billed_user) WHERE (billed_user IS NOT NULL);

CREATE INDEX job_ended ON public.job USING btree (completed_at) WHERE (completed_at IS NOT NULL);

CREATE INDEX job_failed ON public.job USING btree (number) WHERE (status = 'failed'::public.job_status);

CREATE UNIQUE INDEX job_idempotency ON public.job USING btree (idempotency_key, user_id) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX job_of_user ON public.job USING btree (user_id, id);

CREATE INDEX lease_deadline ON public.lease USING btree (deadline);

CREATE UNIQUE INDEX ledger_closed_hold ON public.ledger USING btree (hold) WHERE (hold IS NOT NULL);

CREATE INDEX ledger_grants ON public.ledger USING btree (entry) WHERE (kind = 'grant'::public.ledger_kind);

CREATE INDEX ledger_grants_of_user ON public.ledger USING btree (user_id, entry) WHERE (kind = 'grant'::public.ledger_kind);

CREATE INDEX ledger_of_user ON public.ledger USING btree (user_id, entry);

CREATE INDEX model_batch_collected ON public.model_batch USING btree (collected_at) WHERE (collected_at IS NOT NULL);

CREATE INDEX model_batch_due ON public.model_batch USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX model_batch_line_by_age ON public.model_batch_line USING btree (added_at);

CREATE INDEX model_batch_line_gathering ON public.model_batch_line USING btree (provider, model, alone DESC, added_at) WHERE ((state = 'open'::text) AND (batch IS NULL));

CREATE INDEX model_batch_line_of_batch ON public.model_batch_line USING btree (batch) WHERE (batch IS NOT NULL);

CREATE INDEX model_batch_line_of_job ON public.model_batch_line USING btree (job);

CREATE UNIQUE INDEX model_batch_of_provider ON public.model_batch USING btree (provider, provider_id) WHERE (provider_id IS NOT NULL);

CREATE INDEX model_batch_sealed ON public.model_batch USING btree (sealed_at);

CREATE INDEX model_call_created ON public.model_call USING btree (created_at);

CREATE INDEX model_call_hedge ON public.model_call USING btree (created_at) WHERE (hedge_of IS NOT NULL);

CREATE INDEX model_call_of_job ON public.model_call USING btree (job);

CREATE INDEX model_call_of_user ON public.model_call USING btree (user_id, created_at) INCLUDE (cost_micro_dollars);

CREATE INDEX model_call_running ON public.model_call USING btree (created_at) WHERE (state = 'running'::public.call_state);

CREATE INDEX operation_job_left ON public.operation_job USING btree (operation, place) WHERE (outcome IS NULL);

CREATE INDEX operation_running ON public.operation USING btree (started_at) WHERE (status = 'running'::text);

CREATE INDEX passage_by_digest ON public.passage USING btree (digest, owner);

CREATE INDEX passage_by_owner ON public.passage USING btree (owner, ((written_at = 0)), written_at, number);

CREATE INDEX passage_by_terms ON public.passage USING gin (index);

CREATE INDEX passage_of_story_by_age ON public.passage USING btree (written_at) WHERE (kind = 'story'::text);

CREATE INDEX ready_deadline ON public.ready USING btree (deadline);

CREATE INDEX ready_of_user ON public.ready USING btree (user_id, queue, priority DESC, job);

CREATE INDEX ready_position_of_user ON public.ready USING btree (((user_id + 0)), queue, (("position" + 0)));

CREATE INDEX ready_unordered ON public.ready USING btree (queue, user_id) WHERE unordered;

CREATE INDEX recall_card_by_age ON public.recall_card USING btree (user_id, created_at);

CREATE INDEX recall_card_due ON public.recall_card USING btree (user_id, due_at, id);

CREATE INDEX refresh_token_of_session ON public.refresh_token USING btree (session);

CREATE INDEX scheduled_deadline ON public.scheduled USING btree (deadline);

CREATE INDEX scheduled_standing ON public.scheduled USING btree (job) WHERE ((deadline >= '4503599627370496'::bigint) AND (run_at < '4503599627370496'::bigint));

CREATE INDEX serialized_job_deadline ON public.serialized_job USING btree (deadline) WHERE (NOT holds);

CREATE UNIQUE INDEX serialized_job_holder ON public.serialized_job USING btree (user_id, concurrency_key) WHERE holds;

CREATE INDEX session_by_end ON public.session USING btree (ends_at);

CREATE INDEX session_ended ON public.session USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX session_of_user ON public.session USING btree (user_id, created_at, id);

CREATE INDEX story_by_day ON public.story USING btree (day);

CREATE INDEX story_by_merger ON public.story USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX story_explanation_age ON public.story_explanation USING btree (created_at);

CREATE INDEX story_group_shown ON public.story_group USING btree (ticker, day) WHERE is_shown;

CREATE INDEX story_member_by_story ON public.story_member USING btree (story, place);

CREATE INDEX subscriber_deadline ON public.subscriber USING btree (deadline);

CREATE INDEX user_bar_by_change ON public.user_bar USING btree (changed_at);

CREATE UNIQUE INDEX user_concurrency_position ON public.user_concurrency USING btree (kind, "position") WHERE ("position" IS NOT NULL);

CREATE INDEX user_export_by_age ON public.user_export USING btree (made_at);

CREATE INDEX user_export_of_user ON public.user_export USING btree (user_id, made_at);

CREATE INDEX user_export_part_by_age ON public.user_export_part USING btree (written_at);

CREATE INDEX user_export_part_of_user ON public.user_export_part USING btree (user_id);

CREATE INDEX waiting_deadline ON public.waiting USING btree (deadline);

CREATE UNIQUE INDEX waiting_of_user ON public.waiting USING btree (kind, user_id, priority DESC, job);

CREATE INDEX webhook_delivery_about ON public.webhook_delivery USING btree (about) WHERE (about IS NOT NULL);

CREATE INDEX webhook_delivery_changed ON public.webhook_delivery USING btree (changed_at);

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (next_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_delivery_leased ON public.webhook_delivery USING btree (endpoint) WHERE (lease IS NOT NULL);

CREATE INDEX webhook_delivery_of_job ON public.webhook_delivery USING btree (job) WHERE (job IS NOT NULL);

CREATE INDEX webhook_delivery_of_status ON public.webhook_delivery USING btree (user_id, status, number);

CREATE INDEX webhook_delivery_of_user ON public.webhook_delivery USING btree (user_id, number);

CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (endpoint, next_at) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX webhook_endpoint_idempotency ON public.webhook_endpoint USING btree (user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX webhook_endpoint_of_user ON public.webhook_endpoint USING btree (user_id, number);

CREATE INDEX worker_machine ON public.worker USING btree (machine);

CREATE TRIGGER article_indexed AFTER INSERT ON public.article FOR EACH ROW EXECUTE FUNCTION public.index_article();

CREATE TRIGGER article_text_indexed AFTER INSERT ON public.article_text FOR EACH ROW EXECUTE FUNCTION public.index_article_text();

CREATE TRIGGER article_text_reindexed AFTER UPDATE OF text ON public.article_text FOR EACH ROW EXECUTE FUNCTION public.reindex_article_text();

CREATE TRIGGER audit_is_append_only BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change_of_audit();

CREATE TRIGGER audit_is_never_changed BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION public.check_change_of_audit();

CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON public.ledger FOR EACH ROW EXECUTE FUNCTION public.check_change_of_ledger();

ALTER TABLE ONLY public.article_index
    ADD CONSTRAINT article_index_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_text
    ADD CONSTRAINT article_text_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_ticker
    ADD CONSTRAINT article_ticker_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.article_vector
    ADD CONSTRAINT article_vector_article_fkey FOREIGN KEY (article) REFERENCES public.article(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.holding
    ADD CONSTRAINT holding_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.preferences(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.model_batch_line
    ADD CONSTRAINT model_batch_line_batch_fkey FOREIGN KEY (batch) REFERENCES public.model_batch(id);

ALTER TABLE ONLY public.story_group
    ADD CONSTRAINT story_group_story_fkey FOREIGN KEY (story) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.story_member
    ADD CONSTRAINT story_member_story_fkey FOREIGN KEY (story) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE ONLY public.story
    ADD CONSTRAINT story_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.story(number) ON DELETE CASCADE;

ALTER TABLE public.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.balance ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.brief ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversation_turn ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.finished_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.holding ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ledger ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.model_call ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON public.account USING ((id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.balance USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.brief USING ((user_id = ANY (ARRAY[( SELECT public.current_user_id() AS current_user_id), ('-1'::integer)::bigint])));

CREATE POLICY own ON public.conversation_turn USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.holding USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.job USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.ledger USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.model_call USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.passage USING (((owner IS NULL) OR (owner = ( SELECT public.current_user_id() AS current_user_id))));

CREATE POLICY own ON public.preferences USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.recall_card USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.serialized_job USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY own ON public.step USING ((EXISTS ( SELECT
   FROM public.job
  WHERE (job.number = step.job))));

CREATE POLICY own ON public.watchlist USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

ALTER TABLE public.passage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.preferences ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recall_card ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.serialized_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.step ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.watchlist ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA public TO dossier_reader;

GRANT SELECT ON TABLE public.balance TO dossier_reader;

GRANT SELECT ON TABLE public.job TO dossier_reader;

GRANT SELECT ON TABLE public.account TO dossier_reader;

GRANT SELECT ON TABLE public.brief TO dossier_reader;

GRANT SELECT ON TABLE public.bundle_number TO dossier_reader;

GRANT SELECT ON TABLE public.conversation_turn TO dossier_reader;

GRANT SELECT ON TABLE public.holding TO dossier_reader;

GRANT SELECT ON TABLE public.serialized_job TO dossier_reader;

GRANT SELECT ON TABLE public.job_record TO dossier_reader;

GRANT SELECT ON TABLE public.ledger TO dossier_reader;

GRANT SELECT ON TABLE public.model_call TO dossier_reader;

GRANT SELECT ON TABLE public.passage TO dossier_reader;

GRANT SELECT ON TABLE public.preferences TO dossier_reader;

GRANT SELECT ON TABLE public.recall_card TO dossier_reader;

GRANT SELECT ON TABLE public.step TO dossier_reader;

GRANT SELECT ON TABLE public.watchlist TO dossier_reader;

