/// The queries of `SQL/`, called by the names of their `-- name:` lines.
///
/// `QueryTests` compares the names with the files and prepares every query on a fresh database.
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
    case unfinishedInputs = "unfinished_inputs"
    case jobRequestIDs = "job_request_ids"
    case cancelJobs = "cancel_jobs"
    case retryJob = "retry_job"
    case expireJobs = "expire_jobs"
    case jobsToArchive = "jobs_to_archive"
    case archiveFinishedJobs = "archive_finished_jobs"
    case deleteJournals = "delete_journals"
    case deleteFinishedJobs = "delete_finished_jobs"
    case deleteModelCalls = "delete_model_calls"
    // claims.sql
    case claimJobs = "claim_jobs"
    case reportProgress = "report_progress"
    case completeJobs = "complete_jobs"
    case failJobs = "fail_jobs"
    case snoozeJobs = "snooze_jobs"
    case wakeJobs = "wake_jobs"
    // journal.sql
    case appendSteps = "append_steps"
    case stepList = "step_list"
    case applyRecords = "apply_records"
    // credits.sql
    case balanceGet = "balance_get"
    case grantCredits = "grant_credits"
    case grantOnce = "grant_once"
    case openCredits = "open_credits"
    case beginMonth = "begin_month"
    case auditCredits = "audit_credits"
    // model_costs.sql
    case beginModelCalls = "begin_model_calls"
    case correctModelCalls = "correct_model_calls"
    case settleModelCalls = "settle_model_calls"
    case closeAbandonedCalls = "close_abandoned_calls"
    case spendOfDay = "spend_of_day"
    case callsOfLastHour = "calls_of_last_hour"
    case setBilledUsers = "set_billed_users"
    case modelSpend = "model_spend"
    case modelCosts = "model_costs"
    // workers.sql
    case workerRegister = "worker_register"
    case observeWorkers = "observe_workers"
    case workerBeats = "worker_beats"
    case leasesOfWorker = "leases_of_worker"
    case deregisterWorker = "deregister_worker"
    case rescueWorker = "rescue_worker"
    // limits.sql
    case settlePauses = "settle_pauses"
    case adoptBundle = "adopt_bundle"
    case currentBundleGet = "current_bundle_get"
    case exchangeBudgets = "exchange_budgets"
    // schedules.sql
    case enqueueScheduledRun = "enqueue_scheduled_run"
    // batches.sql
    case setWithins = "set_withins"
    case askByBatch = "ask_by_batch"
    case batchGatherings = "batch_gatherings"
    case batchGatheredLines = "batch_gathered_lines"
    case sealBatch = "seal_batch"
    case takeBatch = "take_batch"
    case changeBatch = "change_batch"
    case batchOpenLines = "batch_open_lines"
    case settleBatchLines = "settle_batch_lines"
    case journalBatchLines = "journal_batch_lines"
    case batchProviderIDs = "batch_provider_ids"
    case batchList = "batch_list"
    case batchTimes = "batch_times"
    case forgetBatches = "forget_batches"
    // database.sql
    case storeNow = "store_now"
    case transactionSettings = "transaction_settings"
    case migrationList = "migration_list"
    case notify
    case noticeCounts = "notice_counts"
    // monitoring.sql
    case modelCallSums = "model_call_sums"
    case modelDurations = "model_durations"
    case modelLatencies = "model_latencies"
    case markedCalls = "marked_calls"
    case batchCounts = "batch_counts"
    case batchDurations = "batch_durations"
    // health.sql
    case jobCounts = "job_counts"
    case jobTimes = "job_times"
    case health
    case durabilitySettings = "durability_settings"
    // Records/passages.sql
    case passagesReplace = "passages_replace"
}
