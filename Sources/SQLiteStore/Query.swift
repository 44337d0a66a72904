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
    case bundleNumberInsert = "bundle_number_insert"
    case jobInputInsert = "job_input_insert"
    case jobRequestID = "job_request_id"
    case jobInputGet = "job_input_get"
    case jobInputDrop = "job_input_drop"
    case unfinishedInputs = "unfinished_inputs"
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
    case jobHistoryAdd = "job_history_add"
    case jobHistoryReturned = "job_history_returned"
    case jobHistoryRestarted = "job_history_restarted"
    case auditAdd = "audit_add"
    case jobRelease = "job_release"
    case jobRestart = "job_restart"
    case jobExpired = "job_expired"
    case ledgerJobKeep = "ledger_job_keep"
    case jobDeleteFinished = "job_delete_finished"
    case archiveNext = "archive_next"
    case archiveJob = "archive_job"
    case archiveDropInput = "archive_drop_input"
    case archiveDropResult = "archive_drop_result"
    case historyPassNext = "history_pass_next"
    case historyPassSet = "history_pass_set"
    // claims.sql
    case workerNumber = "worker_number"
    case scheduledDue = "scheduled_due"
    case scheduledDelete = "scheduled_delete"
    case jobBecomeDue = "job_become_due"
    case readyFirst = "ready_first"
    case readyBestOfUser = "ready_best_of_user"
    case readyFirstOfPartial = "ready_first_of_partial"
    case readyBestOfPartial = "ready_best_of_partial"
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
    case readyWithdraw = "ready_withdraw"
    case readyLastOfUser = "ready_last_of_user"
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
    case kindLimitNextPosition = "kind_limit_next_position"
    case userConcurrencyGet = "user_concurrency_get"
    case userConcurrencyAdd = "user_concurrency_add"
    case userConcurrencyDelete = "user_concurrency_delete"
    case userConcurrencyFirst = "user_concurrency_first"
    case userConcurrencySetPosition = "user_concurrency_set_position"
    case userConcurrencyClearPositions = "user_concurrency_clear_positions"
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
    case stepCount = "step_count"
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
    case creditGrantGet = "credit_grant_get"
    case creditGrantInsert = "credit_grant_insert"
    case planCreditStored = "plan_credit_stored"
    case planCreditSet = "plan_credit_set"
    case auditJobs = "audit_jobs"
    case auditHolds = "audit_holds"
    case auditBalances = "audit_balances"
    // model_costs.sql
    case modelCallGet = "model_call_get"
    case modelCallInsert = "model_call_insert"
    case modelCallSettle = "model_call_settle"
    case modelCallCorrect = "model_call_correct"
    case callsOfLastHour = "calls_of_last_hour"
    case hedgesUsed = "hedges_used"
    case modelCallsAbandoned = "model_calls_abandoned"
    case modelCallClose = "model_call_close"
    case jobBilledUserSet = "job_billed_user_set"
    case jobBilledUser = "job_billed_user"
    case userSpendGet = "user_spend_get"
    case serviceSpendGet = "service_spend_get"
    case userSpendAdd = "user_spend_add"
    case serviceSpendAdd = "service_spend_add"
    case userSpendForget = "user_spend_forget"
    case serviceSpendForget = "service_spend_forget"
    case modelSpend = "model_spend"
    case modelCosts = "model_costs"
    case modelCallDeleteOld = "model_call_delete_old"
    // workers.sql
    case workerRegister = "worker_register"
    case workerNameKeep = "worker_name_keep"
    case workerNameForget = "worker_name_forget"
    case workerBeat = "worker_beat"
    case workerList = "worker_list"
    case fleetClockGet = "fleet_clock_get"
    case fleetClockSet = "fleet_clock_set"
    case leaseCount = "lease_count"
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
    // batches.sql
    case batchLineGet = "batch_line_get"
    case batchLineInsert = "batch_line_insert"
    case batchLineByCustomID = "batch_line_by_custom_id"
    case batchLineSettle = "batch_line_settle"
    case batchLineAgain = "batch_line_again"
    case batchLineJournalled = "batch_line_journalled"
    case batchLineSeal = "batch_line_seal"
    case batchLineDelete = "batch_line_delete"
    case batchLinesLeaving = "batch_lines_leaving"
    case batchLinesGathered = "batch_lines_gathered"
    case batchLinesOpen = "batch_lines_open"
    case batchLinesForget = "batch_lines_forget"
    case batchCallMark = "batch_call_mark"
    case batchGatherings = "batch_gatherings"
    case batchInsert = "batch_insert"
    case batchNextDue = "batch_next_due"
    case batchLease = "batch_lease"
    case batchFence = "batch_fence"
    case batchChange = "batch_change"
    case batchProviderIDs = "batch_provider_ids"
    case batchList = "batch_list"
    case batchTimes = "batch_times"
    case batchForget = "batch_forget"
    // monitoring.sql
    case modelCallSums = "model_call_sums"
    case modelDurations = "model_durations"
    case modelLatencies = "model_latencies"
    case markedCalls = "marked_calls"
    case batchCounts = "batch_counts"
    case batchDurations = "batch_durations"
    // health.sql
    case healthIntegrity = "health_integrity"
    case healthPages = "health_pages"
    case healthJobs = "health_jobs"
    case healthFleet = "health_fleet"
    case healthMisplacedJobs = "health_misplaced_jobs"
    case healthWrongPermitCounts = "health_wrong_permit_counts"
    case jobCounts = "job_counts"
    // database.sql
    case migrationCreateTable = "migration_create_table"
    case migrationList = "migration_list"
    case migrationInsert = "migration_insert"
    case commitCounterBump = "commit_counter_bump"
    case commitCounterRead = "commit_counter_read"
    case clockGet = "clock_get"
    case clockSet = "clock_set"
    case dataVersion = "data_version"
    case passageIndexMerge = "passage_index_merge"

    /// The text of the query.
    var sql: String { Self.texts[index] }

    static let files = NamedQueries([
        PackageResources.jobs_sql,
        PackageResources.claims_sql,
        PackageResources.job_history_sql,
        PackageResources.ready_queue_sql,
        PackageResources.concurrency_keys_sql,
        PackageResources.permits_sql,
        PackageResources.shared_jobs_sql,
        PackageResources.journal_sql,
        PackageResources.credits_sql,
        PackageResources.model_costs_sql,
        PackageResources.monitoring_sql,
        PackageResources.workers_sql,
        PackageResources.schedules_sql,
        PackageResources.budgets_sql,
        PackageResources.batches_sql,
        PackageResources.health_sql,
        PackageResources.database_sql,
    ])

    /// The texts by index, so that a look-up does not hash the name. A name without a text prepares an empty statement,
    /// which a test finds.
    private static let texts = allCases.map { files.texts[$0.rawValue] ?? "" }
}
