import SQLSupport

/// The queries of `Queries/`, one file each. The symbol behind each case is generated from the file, so a query that is
/// missing does not compile, and `MigrationTests` prepares them all.
enum Query: Int, CaseIterable {
    case accountById, accountBySubject, accountFor, adoptBundle, appendSteps, applyRecords, articleArrivals,
        articleById, articleByIds, articleByUrl, articleCount, articleCountOfTickers, articleList,
        articleListOfCategory, articleListOfTickers, articleMarks, articleSearch, articleSearchAny,
        articleSearchCount, articleSignalGet, articleVectors, articleVectorsLatest, auditCredits, balanceGet,
        briefGet, bundleGet, bundleInsert, cancelJobs, changePreferences, claimJobs, completeJobs,
        conversationCount, conversationList, conversationTurns, currentBundleGet, deleteFinished, deregisterWorker,
        documentDelete, documentGet, documentStore, exchangeBudgets, expireJobs, explanationDelete, explanationGet,
        failJobs, fireTick, grantCredits, handBackJobs, health, heldTickers, holdersAfter, jobGet, jobGetWithResult,
        jobList, jobListTotal, jobRevisions, jobTally, leasesOfWorker, migrationList, modelCostsByDay,
        modelCostsByKind, modelCostsByModel, modelCostsByUser, modelSpend, newsCounts, newsSourceList, notify,
        passageByDigests, passageSearch, passageVectors, passageVectorsMissing, passagesReplace, preferencesGet,
        rateCountExchange, reportProgress, rescueWorker, retryJob, stepList, storeNow, storyGroupGet,
        storyGroupGlobal, storyGroupList, storyList, submitJobs, submitOneEach, submitSharedJobs, watchlistAdd,
        watchlistList, watchlistRemove, workerBeat, workerBeats, workerRegister

    /// The text of the query.
    var text: String { Self.texts[rawValue] }

    /// What a connection calls its prepared statement.
    var name: String { Self.names[rawValue] }

    private static let texts = allCases.map { String(decoding: $0.bytes, as: UTF8.self) }
    private static let names = allCases.map { "q\($0.rawValue)" }

    private var bytes: [UInt8] {
        switch self {
        case .accountById: PackageResources.account_by_id_sql
        case .accountBySubject: PackageResources.account_by_subject_sql
        case .accountFor: PackageResources.account_for_sql
        case .adoptBundle: PackageResources.adopt_bundle_sql
        case .appendSteps: PackageResources.append_steps_sql
        case .applyRecords: PackageResources.apply_records_sql
        case .articleArrivals: PackageResources.article_arrivals_sql
        case .articleById: PackageResources.article_by_id_sql
        case .articleByIds: PackageResources.article_by_ids_sql
        case .articleByUrl: PackageResources.article_by_url_sql
        case .articleCount: PackageResources.article_count_sql
        case .articleCountOfTickers: PackageResources.article_count_of_tickers_sql
        case .articleList: PackageResources.article_list_sql
        case .articleListOfCategory: PackageResources.article_list_of_category_sql
        case .articleListOfTickers: PackageResources.article_list_of_tickers_sql
        case .articleMarks: PackageResources.article_marks_sql
        case .articleSearch: PackageResources.article_search_sql
        case .articleSearchAny: PackageResources.article_search_any_sql
        case .articleSearchCount: PackageResources.article_search_count_sql
        case .articleSignalGet: PackageResources.article_signal_get_sql
        case .articleVectors: PackageResources.article_vectors_sql
        case .articleVectorsLatest: PackageResources.article_vectors_latest_sql
        case .auditCredits: PackageResources.audit_credits_sql
        case .balanceGet: PackageResources.balance_get_sql
        case .briefGet: PackageResources.brief_get_sql
        case .bundleGet: PackageResources.bundle_get_sql
        case .bundleInsert: PackageResources.bundle_insert_sql
        case .cancelJobs: PackageResources.cancel_jobs_sql
        case .changePreferences: PackageResources.change_preferences_sql
        case .claimJobs: PackageResources.claim_jobs_sql
        case .completeJobs: PackageResources.complete_jobs_sql
        case .conversationCount: PackageResources.conversation_count_sql
        case .conversationList: PackageResources.conversation_list_sql
        case .conversationTurns: PackageResources.conversation_turns_sql
        case .currentBundleGet: PackageResources.current_bundle_get_sql
        case .deleteFinished: PackageResources.delete_finished_sql
        case .deregisterWorker: PackageResources.deregister_worker_sql
        case .documentDelete: PackageResources.document_delete_sql
        case .documentGet: PackageResources.document_get_sql
        case .documentStore: PackageResources.document_store_sql
        case .exchangeBudgets: PackageResources.exchange_budgets_sql
        case .expireJobs: PackageResources.expire_jobs_sql
        case .explanationDelete: PackageResources.explanation_delete_sql
        case .explanationGet: PackageResources.explanation_get_sql
        case .failJobs: PackageResources.fail_jobs_sql
        case .fireTick: PackageResources.fire_tick_sql
        case .grantCredits: PackageResources.grant_credits_sql
        case .handBackJobs: PackageResources.hand_back_jobs_sql
        case .health: PackageResources.health_sql
        case .heldTickers: PackageResources.held_tickers_sql
        case .holdersAfter: PackageResources.holders_after_sql
        case .jobGet: PackageResources.job_get_sql
        case .jobGetWithResult: PackageResources.job_get_with_result_sql
        case .jobList: PackageResources.job_list_sql
        case .jobListTotal: PackageResources.job_list_total_sql
        case .jobRevisions: PackageResources.job_revisions_sql
        case .jobTally: PackageResources.job_tally_sql
        case .leasesOfWorker: PackageResources.leases_of_worker_sql
        case .migrationList: PackageResources.migration_list_sql
        case .modelCostsByDay: PackageResources.model_costs_by_day_sql
        case .modelCostsByKind: PackageResources.model_costs_by_kind_sql
        case .modelCostsByModel: PackageResources.model_costs_by_model_sql
        case .modelCostsByUser: PackageResources.model_costs_by_user_sql
        case .modelSpend: PackageResources.model_spend_sql
        case .newsCounts: PackageResources.news_counts_sql
        case .newsSourceList: PackageResources.news_source_list_sql
        case .notify: PackageResources.notify_sql
        case .passageByDigests: PackageResources.passage_by_digests_sql
        case .passageSearch: PackageResources.passage_search_sql
        case .passageVectors: PackageResources.passage_vectors_sql
        case .passageVectorsMissing: PackageResources.passage_vectors_missing_sql
        case .passagesReplace: PackageResources.passages_replace_sql
        case .preferencesGet: PackageResources.preferences_get_sql
        case .rateCountExchange: PackageResources.rate_count_exchange_sql
        case .reportProgress: PackageResources.report_progress_sql
        case .rescueWorker: PackageResources.rescue_worker_sql
        case .retryJob: PackageResources.retry_job_sql
        case .stepList: PackageResources.step_list_sql
        case .storeNow: PackageResources.store_now_sql
        case .storyGroupGet: PackageResources.story_group_get_sql
        case .storyGroupGlobal: PackageResources.story_group_global_sql
        case .storyGroupList: PackageResources.story_group_list_sql
        case .storyList: PackageResources.story_list_sql
        case .submitJobs: PackageResources.submit_jobs_sql
        case .submitOneEach: PackageResources.submit_one_each_sql
        case .submitSharedJobs: PackageResources.submit_shared_jobs_sql
        case .watchlistAdd: PackageResources.watchlist_add_sql
        case .watchlistList: PackageResources.watchlist_list_sql
        case .watchlistRemove: PackageResources.watchlist_remove_sql
        case .workerBeat: PackageResources.worker_beat_sql
        case .workerBeats: PackageResources.worker_beats_sql
        case .workerRegister: PackageResources.worker_register_sql
        }
    }
}
