import SQLSupport

/// The queries of `SQL/`, called by the names of their `-- name:` lines.
///
/// `QueryTests` holds the names against the files and prepares every query on a fresh database.
enum Query: String, CaseIterable {
    // jobs.sql
    case submitJobs = "submit_jobs"
    case submitOneEach = "submit_one_each"
    case submitSharedJobs = "submit_shared_jobs"
    case jobGet = "job_get"
    case jobGetWithResult = "job_get_with_result"
    case jobList = "job_list"
    case jobListTotal = "job_list_total"
    case jobRevisions = "job_revisions"
    case cancelJobs = "cancel_jobs"
    case retryJob = "retry_job"
    case expireJobs = "expire_jobs"
    case deleteFinished = "delete_finished"
    // claims.sql
    case claimJobs = "claim_jobs"
    case reportProgress = "report_progress"
    case completeJobs = "complete_jobs"
    case failJobs = "fail_jobs"
    case handBackJobs = "hand_back_jobs"
    // journal.sql
    case appendSteps = "append_steps"
    case stepList = "step_list"
    // workers.sql
    case workerRegister = "worker_register"
    case workerBeat = "worker_beat"
    case workerBeats = "worker_beats"
    case leasesOfWorker = "leases_of_worker"
    case deregisterWorker = "deregister_worker"
    case rescueWorker = "rescue_worker"
    // credits.sql
    case balanceGet = "balance_get"
    case grantCredits = "grant_credits"
    case auditCredits = "audit_credits"
    // costs.sql
    case modelSpend = "model_spend"
    case modelCostsByDay = "model_costs_by_day"
    case modelCostsByKind = "model_costs_by_kind"
    case modelCostsByModel = "model_costs_by_model"
    case modelCostsByUser = "model_costs_by_user"
    // limits.sql
    case adoptBundle = "adopt_bundle"
    case currentBundleGet = "current_bundle_get"
    case exchangeBudgets = "exchange_budgets"
    case rateCountExchange = "rate_count_exchange"
    // schedules.sql
    case fireTick = "fire_tick"
    // store.sql
    case storeNow = "store_now"
    case migrationList = "migration_list"
    case notify
    case newsCounts = "news_counts"
    case jobTally = "job_tally"
    case health
    // Queries/, until they move to SQL/
    case accountById = "account_by_id"
    case accountBySubject = "account_by_subject"
    case accountFor = "account_for"
    case applyRecords = "apply_records"
    case articleArrivals = "article_arrivals"
    case articleById = "article_by_id"
    case articleByIds = "article_by_ids"
    case articleByUrl = "article_by_url"
    case articleCount = "article_count"
    case articleCountOfTickers = "article_count_of_tickers"
    case articleList = "article_list"
    case articleListOfCategory = "article_list_of_category"
    case articleListOfTickers = "article_list_of_tickers"
    case articleMarks = "article_marks"
    case articleSearch = "article_search"
    case articleSearchAny = "article_search_any"
    case articleSearchCount = "article_search_count"
    case articleSignalGet = "article_signal_get"
    case articleVectors = "article_vectors"
    case articleVectorsLatest = "article_vectors_latest"
    case briefGet = "brief_get"
    case bundleGet = "bundle_get"
    case bundleInsert = "bundle_insert"
    case changePreferences = "change_preferences"
    case conversationCount = "conversation_count"
    case conversationList = "conversation_list"
    case conversationTurns = "conversation_turns"
    case documentDelete = "document_delete"
    case documentGet = "document_get"
    case documentStore = "document_store"
    case explanationDelete = "explanation_delete"
    case explanationGet = "explanation_get"
    case heldTickers = "held_tickers"
    case holdersAfter = "holders_after"
    case newsSourceList = "news_source_list"
    case passageByDigests = "passage_by_digests"
    case passageSearch = "passage_search"
    case passageVectors = "passage_vectors"
    case passageVectorsMissing = "passage_vectors_missing"
    case passagesReplace = "passages_replace"
    case preferencesGet = "preferences_get"
    case storyGroupGet = "story_group_get"
    case storyGroupGlobal = "story_group_global"
    case storyGroupList = "story_group_list"
    case storyList = "story_list"
    case watchlistAdd = "watchlist_add"
    case watchlistList = "watchlist_list"
    case watchlistRemove = "watchlist_remove"
}

/// A query as a connection sees it: the name of its prepared statement and its text.
struct QueryText: Hashable, Sendable {
    let name: String
    let text: String

    /// The query that the files of `SQL/` hold under a name.
    init(named name: String) {
        self.name = name
        // A name without a text prepares an empty statement, which a test finds.
        text = Self.files.texts[name] ?? ""
    }

    /// The embedded files of `SQL/`.
    static let files = NamedQueries(
        [
            PackageResources.jobs_sql,
            PackageResources.claims_sql,
            PackageResources.journal_sql,
            PackageResources.workers_sql,
            PackageResources.credits_sql,
            PackageResources.costs_sql,
            PackageResources.limits_sql,
            PackageResources.schedules_sql,
            PackageResources.store_sql,
        ] + recordFiles)

    static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The files of `Queries/`, as if each were a named query.
private let recordFiles: [[UInt8]] = [
    Array("-- name: account_by_id\n".utf8) + PackageResources.account_by_id_sql,
    Array("-- name: account_by_subject\n".utf8) + PackageResources.account_by_subject_sql,
    Array("-- name: account_for\n".utf8) + PackageResources.account_for_sql,
    Array("-- name: apply_records\n".utf8) + PackageResources.apply_records_sql,
    Array("-- name: article_arrivals\n".utf8) + PackageResources.article_arrivals_sql,
    Array("-- name: article_by_id\n".utf8) + PackageResources.article_by_id_sql,
    Array("-- name: article_by_ids\n".utf8) + PackageResources.article_by_ids_sql,
    Array("-- name: article_by_url\n".utf8) + PackageResources.article_by_url_sql,
    Array("-- name: article_count\n".utf8) + PackageResources.article_count_sql,
    Array("-- name: article_count_of_tickers\n".utf8) + PackageResources.article_count_of_tickers_sql,
    Array("-- name: article_list\n".utf8) + PackageResources.article_list_sql,
    Array("-- name: article_list_of_category\n".utf8) + PackageResources.article_list_of_category_sql,
    Array("-- name: article_list_of_tickers\n".utf8) + PackageResources.article_list_of_tickers_sql,
    Array("-- name: article_marks\n".utf8) + PackageResources.article_marks_sql,
    Array("-- name: article_search\n".utf8) + PackageResources.article_search_sql,
    Array("-- name: article_search_any\n".utf8) + PackageResources.article_search_any_sql,
    Array("-- name: article_search_count\n".utf8) + PackageResources.article_search_count_sql,
    Array("-- name: article_signal_get\n".utf8) + PackageResources.article_signal_get_sql,
    Array("-- name: article_vectors\n".utf8) + PackageResources.article_vectors_sql,
    Array("-- name: article_vectors_latest\n".utf8) + PackageResources.article_vectors_latest_sql,
    Array("-- name: brief_get\n".utf8) + PackageResources.brief_get_sql,
    Array("-- name: bundle_get\n".utf8) + PackageResources.bundle_get_sql,
    Array("-- name: bundle_insert\n".utf8) + PackageResources.bundle_insert_sql,
    Array("-- name: change_preferences\n".utf8) + PackageResources.change_preferences_sql,
    Array("-- name: conversation_count\n".utf8) + PackageResources.conversation_count_sql,
    Array("-- name: conversation_list\n".utf8) + PackageResources.conversation_list_sql,
    Array("-- name: conversation_turns\n".utf8) + PackageResources.conversation_turns_sql,
    Array("-- name: document_delete\n".utf8) + PackageResources.document_delete_sql,
    Array("-- name: document_get\n".utf8) + PackageResources.document_get_sql,
    Array("-- name: document_store\n".utf8) + PackageResources.document_store_sql,
    Array("-- name: explanation_delete\n".utf8) + PackageResources.explanation_delete_sql,
    Array("-- name: explanation_get\n".utf8) + PackageResources.explanation_get_sql,
    Array("-- name: held_tickers\n".utf8) + PackageResources.held_tickers_sql,
    Array("-- name: holders_after\n".utf8) + PackageResources.holders_after_sql,
    Array("-- name: news_source_list\n".utf8) + PackageResources.news_source_list_sql,
    Array("-- name: passage_by_digests\n".utf8) + PackageResources.passage_by_digests_sql,
    Array("-- name: passage_search\n".utf8) + PackageResources.passage_search_sql,
    Array("-- name: passage_vectors\n".utf8) + PackageResources.passage_vectors_sql,
    Array("-- name: passage_vectors_missing\n".utf8) + PackageResources.passage_vectors_missing_sql,
    Array("-- name: passages_replace\n".utf8) + PackageResources.passages_replace_sql,
    Array("-- name: preferences_get\n".utf8) + PackageResources.preferences_get_sql,
    Array("-- name: story_group_get\n".utf8) + PackageResources.story_group_get_sql,
    Array("-- name: story_group_global\n".utf8) + PackageResources.story_group_global_sql,
    Array("-- name: story_group_list\n".utf8) + PackageResources.story_group_list_sql,
    Array("-- name: story_list\n".utf8) + PackageResources.story_list_sql,
    Array("-- name: watchlist_add\n".utf8) + PackageResources.watchlist_add_sql,
    Array("-- name: watchlist_list\n".utf8) + PackageResources.watchlist_list_sql,
    Array("-- name: watchlist_remove\n".utf8) + PackageResources.watchlist_remove_sql,
]
