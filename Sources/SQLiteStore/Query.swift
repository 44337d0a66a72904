import SQLSupport

/// The queries of `SQL/`, called by the names of their `-- name:` lines.
///
/// `SchemaTests` compares the names with the files and prepares every query on a fresh database.
enum Query: String, QueryName {
    // jobs.sql
    case jobOwner = "job_owner"
    case jobByIdempotencyKey = "job_by_idempotency_key"
    case jobByUniqueKey = "job_by_unique_key"
    case jobInsert = "job_insert"
    case jobInputInsert = "job_input_insert"
    case jobResultInsert = "job_result_insert"
    case jobGet = "job_get"
    case jobGetWithResult = "job_get_with_result"
    case jobList = "job_list"
    case jobListTotal = "job_list_total"
    case jobRevision = "job_revision"
    case jobStateById = "job_state_by_id"
    case jobStateByNumber = "job_state_by_number"
    case jobUniqueKey = "job_unique_key"
    case jobReport = "job_report"
    case jobComplete = "job_complete"
    case jobRetry = "job_retry"
    case jobEnd = "job_end"
    case jobRelease = "job_release"
    case jobRestart = "job_restart"
    case jobExpired = "job_expired"
    case jobDeleteFinished = "job_delete_finished"
    // claims.sql
    case workerNumber = "worker_number"
    case scheduledDue = "scheduled_due"
    case scheduledDelete = "scheduled_delete"
    case jobBecomeDue = "job_become_due"
    case readyFirst = "ready_first"
    case readyBestOfUser = "ready_best_of_user"
    case readyDelete = "ready_delete"
    case readyMove = "ready_move"
    case leaseInsert = "lease_insert"
    case jobClaim = "job_claim"
    case jobClaimed = "job_claimed"
    case queueAdvance = "queue_advance"
    case scheduledNext = "scheduled_next"
    // ready_queue.sql
    case userPositionAdvance = "user_position_advance"
    case userPositionReturn = "user_position_return"
    case readyInsert = "ready_insert"
    case readyInsertAtFront = "ready_insert_at_front"
    case readyWithdraw = "ready_withdraw"
    case scheduledInsert = "scheduled_insert"
    // concurrency_keys.sql
    case concurrencyKeyHolder = "concurrency_key_holder"
    case concurrencyKeyNext = "concurrency_key_next"
    case concurrencyKeyTouchNext = "concurrency_key_touch_next"
    case jobUnblock = "job_unblock"
    // permits.sql
    case kindLimitGet = "kind_limit_get"
    case kindLimitInsert = "kind_limit_insert"
    case kindLimitChange = "kind_limit_change"
    case kindLimitAddTaken = "kind_limit_add_taken"
    case kindLimitNextTurn = "kind_limit_next_turn"
    case userConcurrencyGet = "user_concurrency_get"
    case userConcurrencyAdd = "user_concurrency_add"
    case userConcurrencyDelete = "user_concurrency_delete"
    case userConcurrencyFirst = "user_concurrency_first"
    case userConcurrencySetTurn = "user_concurrency_set_turn"
    case userConcurrencyClearTurns = "user_concurrency_clear_turns"
    case userConcurrencyWaiting = "user_concurrency_waiting"
    case waitingInsert = "waiting_insert"
    case waitingDelete = "waiting_delete"
    case waitingBest = "waiting_best"
    case jobWaitForPermit = "job_wait_for_permit"
    case jobPromote = "job_promote"
    // shared_jobs.sql
    case sharedJobGet = "shared_job_get"
    case sharedJobRestartable = "shared_job_restartable"
    case jobSetSharedKey = "job_set_shared_key"
    case jobSharedKey = "job_shared_key"
    case jobSubscribe = "job_subscribe"
    case jobUnsubscribe = "job_unsubscribe"
    case subscriberResults = "subscriber_results"
    case subscriberLedger = "subscriber_ledger"
    case subscriberBalances = "subscriber_balances"
    case subscriberEnd = "subscriber_end"
    // journal.sql
    case stepList = "step_list"
    case stepInsert = "step_insert"
    case stepSamePlace = "step_same_place"
    case stepDropFrom = "step_drop_from"
    // credits.sql
    case balanceGet = "balance_get"
    case balanceOpen = "balance_open"
    case balanceGrant = "balance_grant"
    case balanceHold = "balance_hold"
    case balanceSettle = "balance_settle"
    case balanceRelease = "balance_release"
    case ledgerInsert = "ledger_insert"
    case auditJobs = "audit_jobs"
    case auditHolds = "audit_holds"
    case auditBalances = "audit_balances"
    // model_costs.sql
    case modelCallInsert = "model_call_insert"
    case modelSpend = "model_spend"
    case modelCostsByDay = "model_costs_by_day"
    case modelCostsByKind = "model_costs_by_kind"
    case modelCostsByModel = "model_costs_by_model"
    case modelCostsByUser = "model_costs_by_user"
    // workers.sql
    case workerRegister = "worker_register"
    case workerBeat = "worker_beat"
    case workerBeats = "worker_beats"
    case workerDelete = "worker_delete"
    case workerDeleteSilent = "worker_delete_silent"
    case leasesOfWorker = "leases_of_worker"
    case leaseJobs = "lease_jobs"
    case leaseDelete = "lease_delete"
    case fleetCountDeath = "fleet_count_death"
    case jobCountDeath = "job_count_death"
    case jobResetDeaths = "job_reset_deaths"
    // schedules.sql
    case currentBundleGet = "current_bundle_get"
    case currentBundleSet = "current_bundle_set"
    case scheduleRunGet = "schedule_run_get"
    case scheduleRunSet = "schedule_run_set"
    // budgets.sql
    case budgetGet = "budget_get"
    case budgetSet = "budget_set"
    // health.sql
    case healthIntegrity = "health_integrity"
    case healthPages = "health_pages"
    case healthJobs = "health_jobs"
    case healthMisplacedJobs = "health_misplaced_jobs"
    case healthWrongPermitCounts = "health_wrong_permit_counts"
    case jobCounts = "job_counts"
    // database.sql
    case migrationList = "migration_list"
    case migrationInsert = "migration_insert"
    case commitCounterBump = "commit_counter_bump"
    case commitCounterRead = "commit_counter_read"
    case clockGet = "clock_get"
    case clockSet = "clock_set"
    case dataVersion = "data_version"
    // Queries/, until they move to SQL/
    case accountById = "account_by_id"
    case accountBySubject = "account_by_subject"
    case accountInsert = "account_insert"
    case accountNext = "account_next"
    case articleArrivals = "article_arrivals"
    case articleById = "article_by_id"
    case articleByIds = "article_by_ids"
    case articleByUrl = "article_by_url"
    case articleCount = "article_count"
    case articleCountOfTickers = "article_count_of_tickers"
    case articleForget = "article_forget"
    case articleList = "article_list"
    case articleListOfCategory = "article_list_of_category"
    case articleListOfTickers = "article_list_of_tickers"
    case articleMarks = "article_marks"
    case articlePut = "article_put"
    case articleSearch = "article_search"
    case articleSearchAny = "article_search_any"
    case articleSearchCount = "article_search_count"
    case articleSignalForget = "article_signal_forget"
    case articleSignalGet = "article_signal_get"
    case articleSignalPut = "article_signal_put"
    case articleTextPut = "article_text_put"
    case articleTickerPut = "article_ticker_put"
    case articleVectorPut = "article_vector_put"
    case articleVectors = "article_vectors"
    case articleVectorsLatest = "article_vectors_latest"
    case briefGet = "brief_get"
    case briefPut = "brief_put"
    case bundleGet = "bundle_get"
    case bundleInsert = "bundle_insert"
    case conversationCount = "conversation_count"
    case conversationList = "conversation_list"
    case conversationTurnPut = "conversation_turn_put"
    case conversationTurns = "conversation_turns"
    case documentDelete = "document_delete"
    case documentGet = "document_get"
    case documentUpsert = "document_upsert"
    case explanationDelete = "explanation_delete"
    case explanationGet = "explanation_get"
    case explanationUpsert = "explanation_upsert"
    case heldTickers = "held_tickers"
    case holdersAfter = "holders_after"
    case holdingDelete = "holding_delete"
    case holdingInsert = "holding_insert"
    case newsSourceList = "news_source_list"
    case newsSourcePut = "news_source_put"
    case passageByDigests = "passage_by_digests"
    case passageDeleteCommon = "passage_delete_common"
    case passageDeleteStories = "passage_delete_stories"
    case passagePut = "passage_put"
    case passageSearch = "passage_search"
    case passageVectorForget = "passage_vector_forget"
    case passageVectorPut = "passage_vector_put"
    case passageVectors = "passage_vectors"
    case passageVectorsMissing = "passage_vectors_missing"
    case preferencesGet = "preferences_get"
    case preferencesPut = "preferences_put"
    case rateCountDelete = "rate_count_delete"
    case rateCountOthers = "rate_count_others"
    case rateCountSet = "rate_count_set"
    case storyAbsorb = "story_absorb"
    case storyForget = "story_forget"
    case storyGroupGet = "story_group_get"
    case storyGroupGlobal = "story_group_global"
    case storyGroupList = "story_group_list"
    case storyGroupsHide = "story_groups_hide"
    case storyGroupsPut = "story_groups_put"
    case storyList = "story_list"
    case storyMembersDrop = "story_members_drop"
    case storyMembersPut = "story_members_put"
    case storyPut = "story_put"
    case watchlistDelete = "watchlist_delete"
    case watchlistGet = "watchlist_get"
    case watchlistInsert = "watchlist_insert"
    case watchlistList = "watchlist_list"

    /// The text of the query.
    var sql: String { Self.texts[index] }

    static let files = NamedQueries(
        [
            PackageResources.jobs_sql,
            PackageResources.claims_sql,
            PackageResources.ready_queue_sql,
            PackageResources.concurrency_keys_sql,
            PackageResources.permits_sql,
            PackageResources.shared_jobs_sql,
            PackageResources.journal_sql,
            PackageResources.credits_sql,
            PackageResources.model_costs_sql,
            PackageResources.workers_sql,
            PackageResources.schedules_sql,
            PackageResources.budgets_sql,
            PackageResources.health_sql,
            PackageResources.database_sql,
        ] + recordFiles)

    /// By index, so that a look-up does not hash the name. A name without a text prepares an empty statement, which a
    /// test finds.
    private static let texts = allCases.map { files.texts[$0.rawValue] ?? "" }
}

/// The files of `Queries/`, as if each were a named query.
private let recordFiles: [[UInt8]] = [
    Array("-- name: account_by_id\n".utf8) + PackageResources.account_by_id_sql,
    Array("-- name: account_by_subject\n".utf8) + PackageResources.account_by_subject_sql,
    Array("-- name: account_insert\n".utf8) + PackageResources.account_insert_sql,
    Array("-- name: account_next\n".utf8) + PackageResources.account_next_sql,
    Array("-- name: article_arrivals\n".utf8) + PackageResources.article_arrivals_sql,
    Array("-- name: article_by_id\n".utf8) + PackageResources.article_by_id_sql,
    Array("-- name: article_by_ids\n".utf8) + PackageResources.article_by_ids_sql,
    Array("-- name: article_by_url\n".utf8) + PackageResources.article_by_url_sql,
    Array("-- name: article_count\n".utf8) + PackageResources.article_count_sql,
    Array("-- name: article_count_of_tickers\n".utf8) + PackageResources.article_count_of_tickers_sql,
    Array("-- name: article_forget\n".utf8) + PackageResources.article_forget_sql,
    Array("-- name: article_list\n".utf8) + PackageResources.article_list_sql,
    Array("-- name: article_list_of_category\n".utf8) + PackageResources.article_list_of_category_sql,
    Array("-- name: article_list_of_tickers\n".utf8) + PackageResources.article_list_of_tickers_sql,
    Array("-- name: article_marks\n".utf8) + PackageResources.article_marks_sql,
    Array("-- name: article_put\n".utf8) + PackageResources.article_put_sql,
    Array("-- name: article_search\n".utf8) + PackageResources.article_search_sql,
    Array("-- name: article_search_any\n".utf8) + PackageResources.article_search_any_sql,
    Array("-- name: article_search_count\n".utf8) + PackageResources.article_search_count_sql,
    Array("-- name: article_signal_forget\n".utf8) + PackageResources.article_signal_forget_sql,
    Array("-- name: article_signal_get\n".utf8) + PackageResources.article_signal_get_sql,
    Array("-- name: article_signal_put\n".utf8) + PackageResources.article_signal_put_sql,
    Array("-- name: article_text_put\n".utf8) + PackageResources.article_text_put_sql,
    Array("-- name: article_ticker_put\n".utf8) + PackageResources.article_ticker_put_sql,
    Array("-- name: article_vector_put\n".utf8) + PackageResources.article_vector_put_sql,
    Array("-- name: article_vectors\n".utf8) + PackageResources.article_vectors_sql,
    Array("-- name: article_vectors_latest\n".utf8) + PackageResources.article_vectors_latest_sql,
    Array("-- name: brief_get\n".utf8) + PackageResources.brief_get_sql,
    Array("-- name: brief_put\n".utf8) + PackageResources.brief_put_sql,
    Array("-- name: bundle_get\n".utf8) + PackageResources.bundle_get_sql,
    Array("-- name: bundle_insert\n".utf8) + PackageResources.bundle_insert_sql,
    Array("-- name: conversation_count\n".utf8) + PackageResources.conversation_count_sql,
    Array("-- name: conversation_list\n".utf8) + PackageResources.conversation_list_sql,
    Array("-- name: conversation_turn_put\n".utf8) + PackageResources.conversation_turn_put_sql,
    Array("-- name: conversation_turns\n".utf8) + PackageResources.conversation_turns_sql,
    Array("-- name: document_delete\n".utf8) + PackageResources.document_delete_sql,
    Array("-- name: document_get\n".utf8) + PackageResources.document_get_sql,
    Array("-- name: document_upsert\n".utf8) + PackageResources.document_upsert_sql,
    Array("-- name: explanation_delete\n".utf8) + PackageResources.explanation_delete_sql,
    Array("-- name: explanation_get\n".utf8) + PackageResources.explanation_get_sql,
    Array("-- name: explanation_upsert\n".utf8) + PackageResources.explanation_upsert_sql,
    Array("-- name: held_tickers\n".utf8) + PackageResources.held_tickers_sql,
    Array("-- name: holders_after\n".utf8) + PackageResources.holders_after_sql,
    Array("-- name: holding_delete\n".utf8) + PackageResources.holding_delete_sql,
    Array("-- name: holding_insert\n".utf8) + PackageResources.holding_insert_sql,
    Array("-- name: news_source_list\n".utf8) + PackageResources.news_source_list_sql,
    Array("-- name: news_source_put\n".utf8) + PackageResources.news_source_put_sql,
    Array("-- name: passage_by_digests\n".utf8) + PackageResources.passage_by_digests_sql,
    Array("-- name: passage_delete_common\n".utf8) + PackageResources.passage_delete_common_sql,
    Array("-- name: passage_delete_stories\n".utf8) + PackageResources.passage_delete_stories_sql,
    Array("-- name: passage_put\n".utf8) + PackageResources.passage_put_sql,
    Array("-- name: passage_search\n".utf8) + PackageResources.passage_search_sql,
    Array("-- name: passage_vector_forget\n".utf8) + PackageResources.passage_vector_forget_sql,
    Array("-- name: passage_vector_put\n".utf8) + PackageResources.passage_vector_put_sql,
    Array("-- name: passage_vectors\n".utf8) + PackageResources.passage_vectors_sql,
    Array("-- name: passage_vectors_missing\n".utf8) + PackageResources.passage_vectors_missing_sql,
    Array("-- name: preferences_get\n".utf8) + PackageResources.preferences_get_sql,
    Array("-- name: preferences_put\n".utf8) + PackageResources.preferences_put_sql,
    Array("-- name: rate_count_delete\n".utf8) + PackageResources.rate_count_delete_sql,
    Array("-- name: rate_count_others\n".utf8) + PackageResources.rate_count_others_sql,
    Array("-- name: rate_count_set\n".utf8) + PackageResources.rate_count_set_sql,
    Array("-- name: story_absorb\n".utf8) + PackageResources.story_absorb_sql,
    Array("-- name: story_forget\n".utf8) + PackageResources.story_forget_sql,
    Array("-- name: story_group_get\n".utf8) + PackageResources.story_group_get_sql,
    Array("-- name: story_group_global\n".utf8) + PackageResources.story_group_global_sql,
    Array("-- name: story_group_list\n".utf8) + PackageResources.story_group_list_sql,
    Array("-- name: story_groups_hide\n".utf8) + PackageResources.story_groups_hide_sql,
    Array("-- name: story_groups_put\n".utf8) + PackageResources.story_groups_put_sql,
    Array("-- name: story_list\n".utf8) + PackageResources.story_list_sql,
    Array("-- name: story_members_drop\n".utf8) + PackageResources.story_members_drop_sql,
    Array("-- name: story_members_put\n".utf8) + PackageResources.story_members_put_sql,
    Array("-- name: story_put\n".utf8) + PackageResources.story_put_sql,
    Array("-- name: watchlist_delete\n".utf8) + PackageResources.watchlist_delete_sql,
    Array("-- name: watchlist_get\n".utf8) + PackageResources.watchlist_get_sql,
    Array("-- name: watchlist_insert\n".utf8) + PackageResources.watchlist_insert_sql,
    Array("-- name: watchlist_list\n".utf8) + PackageResources.watchlist_list_sql,
]
