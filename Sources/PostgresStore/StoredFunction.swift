internal import Basics

/// A function that the database runs, as a file of `Functions/` declares it.
///
/// Its text is code, so the database has the version of the binary that migrated last: the migrator replaces a function
/// whose text has changed, and keeps one without a file until no program may call it any more. Programs of other versions
/// call it meanwhile, so other parameters or results need another name; else the release adds a migration and raises
/// `Migrator.oldestProgram`.
struct StoredFunction: Equatable, Sendable {
    let name: String
    /// The statement that creates or replaces it.
    let text: String

    /// The digest of everything before the body. A function whose interface changed must be dropped first.
    var interface: String { SHA256.hex(Array((text.split(separator: "AS $$").first ?? "").utf8)) }
    var digest: String { SHA256.hex(Array(text.utf8)) }

    /// All functions, in the order of their files.
    static let all = functions(in: files.map { String(decoding: $0, as: UTF8.self) })

    /// The functions that files declare. A declaration begins with a line `CREATE OR REPLACE FUNCTION name(…` and ends
    /// with a line that ends in `$$;`.
    static func functions(in files: [String]) -> [StoredFunction] {
        var found: [StoredFunction] = []
        for file in files {
            var lines: [Substring] = []
            for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
                if lines.isEmpty, !line.hasPrefix(opening) { continue }
                lines.append(line)
                guard line.hasSuffix("$$;"), let first = lines.first else { continue }
                let name = first.dropFirst(opening.count).prefix { $0 != "(" }
                found.append(StoredFunction(name: String(name), text: lines.joined(separator: "\n")))
                lines = []
            }
        }
        return found
    }

    private static let opening = "CREATE OR REPLACE FUNCTION "

    private static let files = [
        PackageResources.account_for_sql,
        PackageResources.adopt_bundle_sql,
        PackageResources.api_keys_sql,
        PackageResources.append_steps_sql,
        PackageResources.apply_records_sql,
        PackageResources.balances_sql,
        PackageResources.cancel_jobs_sql,
        PackageResources.change_preferences_sql,
        PackageResources.claim_jobs_sql,
        PackageResources.complete_jobs_sql,
        PackageResources.concurrency_keys_sql,
        PackageResources.credit_grants_sql,
        PackageResources.delete_job_sql,
        PackageResources.deregister_worker_sql,
        PackageResources.enqueue_scheduled_run_sql,
        PackageResources.erase_user_sql,
        PackageResources.exchange_budgets_sql,
        PackageResources.expire_jobs_sql,
        PackageResources.fail_jobs_sql,
        PackageResources.fair_queue_sql,
        PackageResources.grant_credits_sql,
        PackageResources.history_sql,
        PackageResources.job_history_sql,
        PackageResources.model_batches_sql,
        PackageResources.model_calls_sql,
        PackageResources.monthly_credits_sql,
        PackageResources.observe_workers_sql,
        PackageResources.operator_reads_sql,
        PackageResources.pause_jobs_sql,
        PackageResources.pending_jobs_sql,
        PackageResources.permits_sql,
        PackageResources.record_news_sql,
        PackageResources.record_passages_sql,
        PackageResources.record_recall_cards_sql,
        PackageResources.refresh_session_sql,
        PackageResources.report_progress_sql,
        PackageResources.rescue_worker_sql,
        PackageResources.retry_job_sql,
        PackageResources.snooze_jobs_sql,
        PackageResources.store_now_sql,
        PackageResources.submit_jobs_sql,
        PackageResources.submit_one_each_sql,
        PackageResources.submit_shared_jobs_sql,
        PackageResources.take_ready_jobs_sql,
        PackageResources.watchlist_add_sql,
        PackageResources.webhook_deliveries_sql,
    ]
}
