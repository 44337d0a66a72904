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
    case cancelJobs = "cancel_jobs"
    case retryJob = "retry_job"
    case expireJobs = "expire_jobs"
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
    // journal.sql
    case appendSteps = "append_steps"
    case stepList = "step_list"
    case applyRecords = "apply_records"
    // credits.sql
    case balanceGet = "balance_get"
    case grantCredits = "grant_credits"
    case auditCredits = "audit_credits"
    // model_costs.sql
    case beginModelCalls = "begin_model_calls"
    case settleModelCalls = "settle_model_calls"
    case closeAbandonedCalls = "close_abandoned_calls"
    case spendOfDay = "spend_of_day"
    case setBilledUsers = "set_billed_users"
    case modelSpend = "model_spend"
    case modelCostsByDay = "model_costs_by_day"
    case modelCostsByKind = "model_costs_by_kind"
    case modelCostsByModel = "model_costs_by_model"
    case modelCostsByUser = "model_costs_by_user"
    case modelCostsByJob = "model_costs_by_job"
    // workers.sql
    case workerRegister = "worker_register"
    case observeWorkers = "observe_workers"
    case workerBeats = "worker_beats"
    case leasesOfWorker = "leases_of_worker"
    case deregisterWorker = "deregister_worker"
    case rescueWorker = "rescue_worker"
    // limits.sql
    case adoptBundle = "adopt_bundle"
    case currentBundleGet = "current_bundle_get"
    case exchangeBudgets = "exchange_budgets"
    // schedules.sql
    case enqueueScheduledRun = "enqueue_scheduled_run"
    // database.sql
    case storeNow = "store_now"
    case transactionSettings = "transaction_settings"
    case migrationList = "migration_list"
    case notify
    case noticeCounts = "notice_counts"
    // health.sql
    case jobCounts = "job_counts"
    case health
    case durabilitySettings = "durability_settings"
    // Records/passages.sql
    case passagesReplace = "passages_replace"
}
