import SQLSupport

/// The queries of `Queries/`, one file each. The symbol behind each case is generated from the file, so a query that is
/// missing does not compile, and `QueryTests` prepares them all.
enum Query: Int, CaseIterable {
    case accountById, accountBySubject, accountInsert, accountNext, articleArrivals, articleById, articleByIds,
        articleByUrl, articleCount, articleCountOfTickers, articleForget, articleList, articleListOfCategory,
        articleListOfTickers, articleMarks, articlePut, articleSearch, articleSearchAny, articleSearchCount,
        articleSignalForget, articleSignalGet, articleSignalPut, articleTextPut, articleTickerPut, articleVectorPut,
        articleVectors, articleVectorsLatest, auditBalances, auditHolds, auditJobs, balanceGet, balanceGrant,
        balanceHold, balanceOpen, balanceRelease, balanceSettle, briefGet, briefPut, budgetGet, budgetSet,
        bundleGet, bundleInsert, clockGet, clockSet, conversationCount, conversationList, conversationTurnPut,
        conversationTurns, currentBundleGet, currentBundleSet, dataVersion, documentDelete, documentGet,
        documentUpsert, explanationDelete, explanationGet, explanationUpsert, fleetDeath, subscriberBalances,
        subscriberEnd, subscriberLedger, subscriberResults, healthIntegrity, healthJobs, healthPages, healthPlaces,
        healthSlots, heldTickers, holdersAfter, holdingDelete, holdingInsert, jobClaim, jobClaimed, jobComplete,
        jobDeleteFinished, jobDue, jobEnd, jobExpired, jobFenceById, jobFenceByNumber, jobFollow, jobForgetDeaths,
        jobGet, jobGetWithResult, jobGiveBack, jobInputInsert, jobInsert, jobKeys, jobList, jobListTotal,
        jobNoteDeath, jobPromote, jobReport, jobRestart, jobResultInsert, jobRevision, jobShare, jobShared,
        jobTally, jobTryAgain, jobUnblock, jobUnfollow, jobWait, kindLimitChange, kindLimitGet, kindLimitInsert,
        kindLimitTake, kindLimitTurn, userConcurrencyAdd, userConcurrencyDelete, userConcurrencyFirst, userConcurrencyForgetTurns,
        userConcurrencyGet, userConcurrencyTurn, userConcurrencyUsers, queueAdvance, sharedJobGet, sharedJobLast, leaseDelete, leaseInsert,
        leaseJobs, leasesOfWorker, ledgerInsert, migrationInsert, migrationList, modelCallInsert, modelCostsByDay,
        modelCostsByKind, modelCostsByModel, modelCostsByUser, modelSpend, newsSourceList, newsSourcePut,
        passageByDigests, passageDeleteCommon, passageDeleteStories, passagePut, passageSearch, passageVectorForget,
        passageVectorPut, passageVectors, passageVectorsMissing, preferencesGet, preferencesPut, pulseBump,
        pulseRead, rateCountDelete, rateCountOthers, rateCountSet, readyBest, readyDelete, readyEnterFront,
        readyEnterNext, readyFirst, readyMove, readyWithdraw, scheduleDelete, scheduleDue, scheduleInsert,
        scheduleNext, scheduleTickGet, scheduleTickSet, serialHolder, serialNext, serialTouchNext, stepDropFrom,
        stepInsert, stepList, stepSamePlace, storyAbsorb, storyForget, storyGroupGet, storyGroupGlobal,
        storyGroupList, storyGroupsHide, storyGroupsPut, storyList, storyMembersDrop, storyMembersPut, storyPut,
        submitJoined, submitSameId, submitSameKey, turnReturn, turnTake, waitingBest, waitingEnter, waitingLeave,
        watchlistDelete, watchlistGet, watchlistInsert, watchlistList, workerBeat, workerBeats, workerDelete,
        workerDeleteSilent, workerNumber, workerRegister

    /// The text of the query in UTF-8.
    var sql: [UInt8] {
        switch self {
        case .accountById: PackageResources.account_by_id_sql
        case .accountBySubject: PackageResources.account_by_subject_sql
        case .accountInsert: PackageResources.account_insert_sql
        case .accountNext: PackageResources.account_next_sql
        case .articleArrivals: PackageResources.article_arrivals_sql
        case .articleById: PackageResources.article_by_id_sql
        case .articleByIds: PackageResources.article_by_ids_sql
        case .articleByUrl: PackageResources.article_by_url_sql
        case .articleCount: PackageResources.article_count_sql
        case .articleCountOfTickers: PackageResources.article_count_of_tickers_sql
        case .articleForget: PackageResources.article_forget_sql
        case .articleList: PackageResources.article_list_sql
        case .articleListOfCategory: PackageResources.article_list_of_category_sql
        case .articleListOfTickers: PackageResources.article_list_of_tickers_sql
        case .articleMarks: PackageResources.article_marks_sql
        case .articlePut: PackageResources.article_put_sql
        case .articleSearch: PackageResources.article_search_sql
        case .articleSearchAny: PackageResources.article_search_any_sql
        case .articleSearchCount: PackageResources.article_search_count_sql
        case .articleSignalForget: PackageResources.article_signal_forget_sql
        case .articleSignalGet: PackageResources.article_signal_get_sql
        case .articleSignalPut: PackageResources.article_signal_put_sql
        case .articleTextPut: PackageResources.article_text_put_sql
        case .articleTickerPut: PackageResources.article_ticker_put_sql
        case .articleVectorPut: PackageResources.article_vector_put_sql
        case .articleVectors: PackageResources.article_vectors_sql
        case .articleVectorsLatest: PackageResources.article_vectors_latest_sql
        case .auditBalances: PackageResources.audit_balances_sql
        case .auditHolds: PackageResources.audit_holds_sql
        case .auditJobs: PackageResources.audit_jobs_sql
        case .balanceGet: PackageResources.balance_get_sql
        case .balanceGrant: PackageResources.balance_grant_sql
        case .balanceHold: PackageResources.balance_hold_sql
        case .balanceOpen: PackageResources.balance_open_sql
        case .balanceRelease: PackageResources.balance_release_sql
        case .balanceSettle: PackageResources.balance_settle_sql
        case .briefGet: PackageResources.brief_get_sql
        case .briefPut: PackageResources.brief_put_sql
        case .budgetGet: PackageResources.budget_get_sql
        case .budgetSet: PackageResources.budget_set_sql
        case .bundleGet: PackageResources.bundle_get_sql
        case .bundleInsert: PackageResources.bundle_insert_sql
        case .clockGet: PackageResources.clock_get_sql
        case .clockSet: PackageResources.clock_set_sql
        case .conversationCount: PackageResources.conversation_count_sql
        case .conversationList: PackageResources.conversation_list_sql
        case .conversationTurnPut: PackageResources.conversation_turn_put_sql
        case .conversationTurns: PackageResources.conversation_turns_sql
        case .currentBundleGet: PackageResources.current_bundle_get_sql
        case .currentBundleSet: PackageResources.current_bundle_set_sql
        case .dataVersion: PackageResources.data_version_sql
        case .documentDelete: PackageResources.document_delete_sql
        case .documentGet: PackageResources.document_get_sql
        case .documentUpsert: PackageResources.document_upsert_sql
        case .explanationDelete: PackageResources.explanation_delete_sql
        case .explanationGet: PackageResources.explanation_get_sql
        case .explanationUpsert: PackageResources.explanation_upsert_sql
        case .fleetDeath: PackageResources.fleet_death_sql
        case .subscriberBalances: PackageResources.subscriber_balances_sql
        case .subscriberEnd: PackageResources.subscriber_end_sql
        case .subscriberLedger: PackageResources.subscriber_ledger_sql
        case .subscriberResults: PackageResources.subscriber_results_sql
        case .healthIntegrity: PackageResources.health_integrity_sql
        case .healthJobs: PackageResources.health_jobs_sql
        case .healthPages: PackageResources.health_pages_sql
        case .healthPlaces: PackageResources.health_places_sql
        case .healthSlots: PackageResources.health_slots_sql
        case .heldTickers: PackageResources.held_tickers_sql
        case .holdersAfter: PackageResources.holders_after_sql
        case .holdingDelete: PackageResources.holding_delete_sql
        case .holdingInsert: PackageResources.holding_insert_sql
        case .jobClaim: PackageResources.job_claim_sql
        case .jobClaimed: PackageResources.job_claimed_sql
        case .jobComplete: PackageResources.job_complete_sql
        case .jobDeleteFinished: PackageResources.job_delete_finished_sql
        case .jobDue: PackageResources.job_due_sql
        case .jobEnd: PackageResources.job_end_sql
        case .jobExpired: PackageResources.job_expired_sql
        case .jobFenceById: PackageResources.job_fence_by_id_sql
        case .jobFenceByNumber: PackageResources.job_fence_by_number_sql
        case .jobFollow: PackageResources.job_follow_sql
        case .jobForgetDeaths: PackageResources.job_forget_deaths_sql
        case .jobGet: PackageResources.job_get_sql
        case .jobGetWithResult: PackageResources.job_get_with_result_sql
        case .jobGiveBack: PackageResources.job_give_back_sql
        case .jobInputInsert: PackageResources.job_input_insert_sql
        case .jobInsert: PackageResources.job_insert_sql
        case .jobKeys: PackageResources.job_keys_sql
        case .jobList: PackageResources.job_list_sql
        case .jobListTotal: PackageResources.job_list_total_sql
        case .jobNoteDeath: PackageResources.job_note_death_sql
        case .jobPromote: PackageResources.job_promote_sql
        case .jobReport: PackageResources.job_report_sql
        case .jobRestart: PackageResources.job_restart_sql
        case .jobResultInsert: PackageResources.job_result_insert_sql
        case .jobRevision: PackageResources.job_revision_sql
        case .jobShare: PackageResources.job_share_sql
        case .jobShared: PackageResources.job_shared_sql
        case .jobTally: PackageResources.job_tally_sql
        case .jobTryAgain: PackageResources.job_try_again_sql
        case .jobUnblock: PackageResources.job_unblock_sql
        case .jobUnfollow: PackageResources.job_unfollow_sql
        case .jobWait: PackageResources.job_wait_sql
        case .kindLimitChange: PackageResources.kind_limit_change_sql
        case .kindLimitGet: PackageResources.kind_limit_get_sql
        case .kindLimitInsert: PackageResources.kind_limit_insert_sql
        case .kindLimitTake: PackageResources.kind_limit_take_sql
        case .kindLimitTurn: PackageResources.kind_limit_turn_sql
        case .userConcurrencyAdd: PackageResources.user_concurrency_add_sql
        case .userConcurrencyDelete: PackageResources.user_concurrency_delete_sql
        case .userConcurrencyFirst: PackageResources.user_concurrency_first_sql
        case .userConcurrencyForgetTurns: PackageResources.user_concurrency_forget_turns_sql
        case .userConcurrencyGet: PackageResources.user_concurrency_get_sql
        case .userConcurrencyTurn: PackageResources.user_concurrency_turn_sql
        case .userConcurrencyUsers: PackageResources.user_concurrency_users_sql
        case .queueAdvance: PackageResources.queue_advance_sql
        case .sharedJobGet: PackageResources.shared_job_get_sql
        case .sharedJobLast: PackageResources.shared_job_last_sql
        case .leaseDelete: PackageResources.lease_delete_sql
        case .leaseInsert: PackageResources.lease_insert_sql
        case .leaseJobs: PackageResources.lease_jobs_sql
        case .leasesOfWorker: PackageResources.leases_of_worker_sql
        case .ledgerInsert: PackageResources.ledger_insert_sql
        case .migrationInsert: PackageResources.migration_insert_sql
        case .migrationList: PackageResources.migration_list_sql
        case .modelCallInsert: PackageResources.model_call_insert_sql
        case .modelCostsByDay: PackageResources.model_costs_by_day_sql
        case .modelCostsByKind: PackageResources.model_costs_by_kind_sql
        case .modelCostsByModel: PackageResources.model_costs_by_model_sql
        case .modelCostsByUser: PackageResources.model_costs_by_user_sql
        case .modelSpend: PackageResources.model_spend_sql
        case .newsSourceList: PackageResources.news_source_list_sql
        case .newsSourcePut: PackageResources.news_source_put_sql
        case .passageByDigests: PackageResources.passage_by_digests_sql
        case .passageDeleteCommon: PackageResources.passage_delete_common_sql
        case .passageDeleteStories: PackageResources.passage_delete_stories_sql
        case .passagePut: PackageResources.passage_put_sql
        case .passageSearch: PackageResources.passage_search_sql
        case .passageVectorForget: PackageResources.passage_vector_forget_sql
        case .passageVectorPut: PackageResources.passage_vector_put_sql
        case .passageVectors: PackageResources.passage_vectors_sql
        case .passageVectorsMissing: PackageResources.passage_vectors_missing_sql
        case .preferencesGet: PackageResources.preferences_get_sql
        case .preferencesPut: PackageResources.preferences_put_sql
        case .pulseBump: PackageResources.pulse_bump_sql
        case .pulseRead: PackageResources.pulse_read_sql
        case .rateCountDelete: PackageResources.rate_count_delete_sql
        case .rateCountOthers: PackageResources.rate_count_others_sql
        case .rateCountSet: PackageResources.rate_count_set_sql
        case .readyBest: PackageResources.ready_best_sql
        case .readyDelete: PackageResources.ready_delete_sql
        case .readyEnterFront: PackageResources.ready_enter_front_sql
        case .readyEnterNext: PackageResources.ready_enter_next_sql
        case .readyFirst: PackageResources.ready_first_sql
        case .readyMove: PackageResources.ready_move_sql
        case .readyWithdraw: PackageResources.ready_withdraw_sql
        case .scheduleDelete: PackageResources.schedule_delete_sql
        case .scheduleDue: PackageResources.schedule_due_sql
        case .scheduleInsert: PackageResources.schedule_insert_sql
        case .scheduleNext: PackageResources.schedule_next_sql
        case .scheduleTickGet: PackageResources.schedule_tick_get_sql
        case .scheduleTickSet: PackageResources.schedule_tick_set_sql
        case .serialHolder: PackageResources.serial_holder_sql
        case .serialNext: PackageResources.serial_next_sql
        case .serialTouchNext: PackageResources.serial_touch_next_sql
        case .stepDropFrom: PackageResources.step_drop_from_sql
        case .stepInsert: PackageResources.step_insert_sql
        case .stepList: PackageResources.step_list_sql
        case .stepSamePlace: PackageResources.step_same_place_sql
        case .storyAbsorb: PackageResources.story_absorb_sql
        case .storyForget: PackageResources.story_forget_sql
        case .storyGroupGet: PackageResources.story_group_get_sql
        case .storyGroupGlobal: PackageResources.story_group_global_sql
        case .storyGroupList: PackageResources.story_group_list_sql
        case .storyGroupsHide: PackageResources.story_groups_hide_sql
        case .storyGroupsPut: PackageResources.story_groups_put_sql
        case .storyList: PackageResources.story_list_sql
        case .storyMembersDrop: PackageResources.story_members_drop_sql
        case .storyMembersPut: PackageResources.story_members_put_sql
        case .storyPut: PackageResources.story_put_sql
        case .submitJoined: PackageResources.submit_joined_sql
        case .submitSameId: PackageResources.submit_same_id_sql
        case .submitSameKey: PackageResources.submit_same_key_sql
        case .turnReturn: PackageResources.turn_return_sql
        case .turnTake: PackageResources.turn_take_sql
        case .waitingBest: PackageResources.waiting_best_sql
        case .waitingEnter: PackageResources.waiting_enter_sql
        case .waitingLeave: PackageResources.waiting_leave_sql
        case .watchlistDelete: PackageResources.watchlist_delete_sql
        case .watchlistGet: PackageResources.watchlist_get_sql
        case .watchlistInsert: PackageResources.watchlist_insert_sql
        case .watchlistList: PackageResources.watchlist_list_sql
        case .workerBeat: PackageResources.worker_beat_sql
        case .workerBeats: PackageResources.worker_beats_sql
        case .workerDelete: PackageResources.worker_delete_sql
        case .workerDeleteSilent: PackageResources.worker_delete_silent_sql
        case .workerNumber: PackageResources.worker_number_sql
        case .workerRegister: PackageResources.worker_register_sql
        }
    }
}
